-- Whose membership in a group of the conversation has changed: the abilities of those who were in it already may have, too.
alter table member_syncs add column user_ids text[] not null default '{}';
