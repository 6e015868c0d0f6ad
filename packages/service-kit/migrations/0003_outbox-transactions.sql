-- The transaction of an event. A list that a client has loaded names the transactions that it includes (`pg_current_snapshot`), so the
-- client knows whether it includes the event.
alter table outbox add column transaction_id xid8 not null default pg_current_xact_id();
