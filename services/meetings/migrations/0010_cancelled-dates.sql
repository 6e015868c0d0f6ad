-- Up Migration

-- Of which series a date was that is gone: a link to it, as in every mail about the series that names its first date, leads to those that are left.
create table cancelled_dates (
  meeting_id text primary key,
  series_id text not null references series (id) on delete cascade,
  original_start timestamptz not null
);
create index cancelled_dates_of_series on cancelled_dates (series_id);

-- Whichever pod cancels one. A series that goes as a whole takes them along.
create function keep_cancelled_dates() returns trigger language plpgsql as $$
begin
  insert into cancelled_dates (meeting_id, series_id, original_start)
  select gone.id, gone.series_id, gone.original_start from gone join series s on s.id = gone.series_id
  where gone.original_start is not null
  on conflict (meeting_id) do nothing;
  return null;
end $$;
create trigger meetings_keep_cancelled_dates after delete on meetings referencing old table as gone
  for each statement execute function keep_cancelled_dates();

-- Down Migration

drop trigger meetings_keep_cancelled_dates on meetings;
drop function keep_cancelled_dates();
drop table cancelled_dates;
