-- The replies to a message, its root. `thread_id` is the id of the root, and the `conversation_id` of the replies in `messages`: their
-- files, reactions, and revisions work as in a conversation. Users who can read the conversation can read its threads.
create table threads (
  thread_id text primary key,
  conversation_id text not null references conversations (conversation_id) on delete cascade,
  last_seq bigint not null default 0,
  reply_count integer not null default 0,
  -- The last three different ones, latest first.
  repliers text[] not null default '{}',
  created_at timestamptz not null default now(),
  -- The time of the last reply.
  updated_at timestamptz not null default now()
) with (fillfactor = 80);
create index threads_conversation on threads (conversation_id);

-- Users who follow a thread, with their read positions as in `participants`. A follower who has left the conversation still has a row,
-- and does not see the thread.
create table thread_followers (
  thread_id text not null references threads (thread_id) on delete cascade,
  user_id text not null,
  last_read_seq bigint not null,
  own_after_read bigint not null default 0 check (own_after_read >= 0),
  primary key (thread_id, user_id)
) with (fillfactor = 80);
create index thread_followers_user on thread_followers (user_id, thread_id);

alter table messages
  -- For a reply: the conversation of its thread.
  add column parent_id text,
  -- For a copy of a reply in the conversation: its thread.
  add column thread_id text,
  -- For a root: increases with each reply and each deletion of one.
  add column thread_version integer not null default 0;

drop trigger messages_1_record_revision on messages;
create trigger messages_1_record_revision after update on messages for each row
  when (
    (old.content, old.edited_at, old.deleted_at, old.reaction_count, old.thread_version)
    is distinct from (new.content, new.edited_at, new.deleted_at, new.reaction_count, new.thread_version)
  )
  execute function record_message_revision();

create or replace function record_message_revision() returns trigger language plpgsql as $$
begin
  -- Locked until the commit, so that a reader of a revision sees all earlier ones. A deleted conversation has no readers.
  perform from conversations where conversation_id = new.conversation_id for no key update;
  if not found then
    perform from threads where thread_id = new.conversation_id for no key update;
    if not found then
      return null;
    end if;
  end if;
  insert into message_changes (conversation_id, seq, rev)
  select new.conversation_id, new.seq, coalesce(max(rev), 0) + 1 from message_changes
  where conversation_id = new.conversation_id
  on conflict (conversation_id, seq) do update set rev = excluded.rev;
  return null;
end
$$;

-- The messages of a deleted thread are removed like those of a deleted conversation.
create function remove_messages_of_thread() returns trigger language plpgsql as $$
begin
  insert into deleted_conversations (conversation_id, last_seq) values (old.thread_id, old.last_seq) on conflict do nothing;
  return null;
end $$;
create trigger threads_remove_messages after delete on threads for each row execute function remove_messages_of_thread();
