-- Up Migration

-- Conversations that are gone for everybody and whose messages are still to be removed, a few thousand at a time: up to which seq they are.
create table deleted_conversations (
  conversation_id text primary key,
  last_seq bigint not null,
  removed_seq bigint not null default 0,
  deleted_at timestamptz not null default now()
);

-- The project's people are always in its conversation; earlier releases let a manager remove them from it.
insert into participants (conversation_id, user_id, last_read_seq)
select c.conversation_id, person.user_id, c.last_seq
from project_conversations pc
join conversations c on c.conversation_id = pc.conversation_id
cross join unnest(pc.people) as person (user_id)
where not pc.closed
on conflict do nothing;

-- Down Migration

drop table deleted_conversations;
