alter table messages
  add column pinned_at timestamptz,
  add column pinned_by text;

-- The pins of a conversation and its threads. A copy of a reply is pinned with the reply.
create index messages_pinned on messages (coalesce(parent_id, conversation_id), pinned_at desc)
  where pinned_at is not null and thread_id is null;

drop trigger messages_1_record_revision on messages;
create trigger messages_1_record_revision after update on messages for each row
  when (
    (old.content, old.edited_at, old.deleted_at, old.reaction_count, old.thread_version, old.pinned_at)
    is distinct from (new.content, new.edited_at, new.deleted_at, new.reaction_count, new.thread_version, new.pinned_at)
  )
  execute function record_message_revision();

-- Messages that a user keeps in their own list. Shows only those of conversations in which they are.
create table saved_messages (
  user_id text not null,
  message_id text not null,
  conversation_id text not null,
  saved_at timestamptz not null default clock_timestamp(),
  primary key (user_id, message_id)
);
create index saved_messages_saved on saved_messages (user_id, saved_at desc);

create function delete_saved_of_message() returns trigger language plpgsql as $$
begin
  delete from saved_messages where message_id = old.message_id;
  return null;
end $$;
create index saved_messages_message on saved_messages (message_id);
create trigger messages_4_delete_saved after update on messages for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function delete_saved_of_message();
create trigger messages_delete_saved after delete on messages for each row
  execute function delete_saved_of_message();
