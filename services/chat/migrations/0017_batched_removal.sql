create index deleted_conversations_time on deleted_conversations (deleted_at, conversation_id);

-- Threads are removed in batches, like messages: a conversation can have more than one statement can delete. Without its participants,
-- nobody sees them. Only a transaction that has locked the conversation inserts threads.
alter table threads drop constraint threads_conversation_id_fkey;

-- Messages are deleted only with their conversation, whose messages nobody finds, and which is no longer indexed. Queueing them would
-- delay the indexing of new messages.
create function delete_search_entry() returns trigger language plpgsql as $$
begin
  delete from search_entries where message_id = old.message_id;
  return null;
end $$;
drop trigger messages_remove_search_entry on messages;
create trigger messages_remove_search_entry after delete on messages
  for each row when (old.thread_id is null) execute function delete_search_entry();
