-- Up Migration

-- The messages with web addresses of a conversation, newest first, of which most have none. Writes wait for as long as it takes to read all
-- messages, some seconds for a million.
create index messages_with_links on messages (conversation_id, seq desc) where content ~* 'https?://[^[:space:]<>"'']' and deleted_at is null;

-- Down Migration

drop index messages_with_links;
