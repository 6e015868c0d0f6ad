-- Up Migration

alter table conversations add participant_count integer not null default 0;
update conversations c set participant_count = n.count
from (select conversation_id, count(*) as count from participants group by conversation_id) n
where n.conversation_id = c.conversation_id;

-- The first participants of a conversation, longest-standing first.
create index participants_joined on participants (conversation_id, joined_at, user_id);

create function count_participants_added() returns trigger language plpgsql as $$
begin
  update conversations c set participant_count = c.participant_count + n.count
  from (select conversation_id, count(*) as count from added group by conversation_id) n
  where c.conversation_id = n.conversation_id;
  return null;
end $$;
create trigger participants_added after insert on participants
  referencing new table as added for each statement execute function count_participants_added();

create function count_participants_removed() returns trigger language plpgsql as $$
begin
  update conversations c set participant_count = c.participant_count - n.count
  from (select conversation_id, count(*) as count from removed group by conversation_id) n
  where c.conversation_id = n.conversation_id;
  return null;
end $$;
create trigger participants_removed after delete on participants
  referencing old table as removed for each statement execute function count_participants_removed();

-- Groups that a user created on a day (UTC), for the daily limit.
create table group_creations (
  user_id text primary key,
  day date not null,
  created integer not null
);

-- Down Migration

drop table group_creations;
drop trigger participants_removed on participants;
drop function count_participants_removed();
drop trigger participants_added on participants;
drop function count_participants_added();
drop index participants_joined;
alter table conversations drop participant_count;
