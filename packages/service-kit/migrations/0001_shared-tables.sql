-- Events, from the transaction that caused them until JetStream has acknowledged them. An event that NATS rejects stays with the reason and
-- does not block those behind it.
create table outbox (
  id bigint generated always as identity primary key,
  subject text not null,
  message_id text not null,
  aggregate text not null,
  payload text not null,
  created_at timestamptz not null default now(),
  rejected_at timestamptz,
  rejection text
);

-- Inbox: recorded by the transaction that processed the event, so that a redelivery is ignored.
create table processed_events (
  consumer text not null,
  event_id text not null,
  processed_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index processed_events_age on processed_events (processed_at);

-- Responses to idempotent writes, which a client may repeat after it lost the response.
create table idempotency_keys (
  user_id text not null,
  key text not null,
  request text not null,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Leases of work that one pod does for all, with their expiry.
create table leases (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);
