create table reactions (
  conversation_id text not null,
  message_id text not null,
  emoji text not null,
  user_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, message_id, emoji, user_id)
);

-- Messages without any need no lookup, and each change of it is a change of the message.
alter table messages add column reaction_count integer not null default 0 check (reaction_count >= 0);

drop trigger messages_1_record_revision on messages;
create trigger messages_1_record_revision after update on messages for each row
  when (
    (old.content, old.edited_at, old.deleted_at, old.reaction_count)
    is distinct from (new.content, new.edited_at, new.deleted_at, new.reaction_count)
  )
  execute function record_message_revision();

create function delete_reactions_of_message() returns trigger language plpgsql as $$
begin
  delete from reactions where conversation_id = old.conversation_id and message_id = old.message_id;
  return null;
end $$;
create trigger messages_3_delete_reactions after update on messages for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.reaction_count > 0)
  execute function delete_reactions_of_message();
create trigger messages_delete_reactions after delete on messages for each row
  when (old.reaction_count > 0)
  execute function delete_reactions_of_message();
