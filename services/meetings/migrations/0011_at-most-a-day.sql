-- Up Migration

-- A meeting lasts at most 24 hours, so that a range of time is a range of starts with a constant margin. Longer ones are shortened; their
-- original ends stay here, and the description says so where it has room.
create table shortened_meetings (
  meeting_id text primary key references meetings (id) on delete cascade,
  ends_at timestamptz not null
);
create table shortened_series (
  series_id text primary key references series (id) on delete cascade,
  duration_ms bigint not null
);
insert into shortened_meetings select id, ends_at from meetings where ends_at > starts_at + interval '24 hours';
insert into shortened_series select id, duration_ms from series where duration_ms > 86400000;

update meetings m
set ends_at = m.starts_at + interval '24 hours', version = m.version + 1, edited_version = m.version + 1, updated_at = now(),
    description = case when char_length(m.description) > 4900 then m.description else
      ltrim(m.description || E'\n\n' || 'Originally scheduled until ' || to_char(s.ends_at at time zone m.timezone, 'YYYY-MM-DD HH24:MI')
        || ' (' || m.timezone || ').', E'\n') end
from shortened_meetings s where s.meeting_id = m.id;
update participants p set ends_at = m.ends_at
from meetings m join shortened_meetings s on s.meeting_id = m.id where p.meeting_id = m.id;
update series set duration_ms = 86400000 where duration_ms > 86400000;

-- Elapsed time: on the day on which clocks go back, a calendar day is longer than that.
alter table meetings add constraint meetings_at_most_a_day check (ends_at <= starts_at + interval '24 hours');
alter table series add constraint series_at_most_a_day check (duration_ms <= 86400000);
drop index meetings_by_length;

-- Invited to this occurrence of a series but not to the series. Guests are found by this index instead of by comparing everyone's rows.
alter table participants add column is_guest boolean not null default false;
update participants p set is_guest = true
from meetings m join series s on s.id = m.series_id
where p.meeting_id = m.id and not p.user_id = any(s.participant_ids);
create index participants_guests on participants (meeting_id) where is_guest;

create function mark_guests_of_series() returns trigger language plpgsql as $$
begin
  update participants p set is_guest = not p.is_guest
  from meetings m where m.series_id = new.id and p.meeting_id = m.id and p.is_guest = (p.user_id = any(new.participant_ids));
  return null;
end $$;
create trigger series_mark_guests after update of participant_ids on series for each row
  when (old.participant_ids is distinct from new.participant_ids)
  execute function mark_guests_of_series();

-- Down Migration

drop trigger series_mark_guests on series;
drop function mark_guests_of_series();
alter table participants drop column is_guest;
create index meetings_by_length on meetings ((ends_at - starts_at));
alter table series drop constraint series_at_most_a_day;
alter table meetings drop constraint meetings_at_most_a_day;
drop table shortened_series;
drop table shortened_meetings;
