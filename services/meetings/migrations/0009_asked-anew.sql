-- Up Migration

-- With which revision (SEQUENCE) the people of a meeting, or of a series as a whole, were last asked anew: an answer to one of before is to another
-- time or rhythm. Not columns of theirs: pods of before have prepared statements that read all columns. What these ask anew is not noted, and judged
-- by its start alone, as before.
create table asked_meetings (
  meeting_id text primary key references meetings (id) on delete cascade,
  sequence integer not null
);
create table asked_series (
  series_id text primary key references series (id) on delete cascade,
  sequence integer not null
);

-- In another series revisions are counted from the start, whichever pod splits one.
create function forget_asked() returns trigger language plpgsql as $$
begin
  delete from asked_meetings where meeting_id = new.id;
  return null;
end $$;
create trigger meetings_change_series after update of series_id on meetings for each row
  when (old.series_id is not null and new.series_id is distinct from old.series_id)
  execute function forget_asked();

-- Down Migration

drop trigger meetings_change_series on meetings;
drop function forget_asked();
drop table asked_series;
drop table asked_meetings;
