-- no transaction
-- Up Migration

-- The messages with web addresses of a conversation, newest first, of which most have none.
drop index concurrently if exists messages_with_links;
create index concurrently messages_with_links on messages (conversation_id, seq desc)
  where content ~* 'https?://[^[:space:]<>"'']' and deleted_at is null;

-- Down Migration

drop index messages_with_links;
