-- no transaction
-- Up Migration

-- Web addresses may begin with www.
drop index concurrently if exists messages_with_web_addresses;
create index concurrently messages_with_web_addresses on messages (conversation_id, seq desc)
  where content ~* '(https?://|www\.)[^[:space:]<>"'']' and deleted_at is null;
drop index concurrently if exists messages_with_links;

-- Down Migration

drop index messages_with_web_addresses;
