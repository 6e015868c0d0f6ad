-- Up Migration

-- Events wait here from the commit that caused them until JetStream has acknowledged them.
create table outbox (
  id bigint generated always as identity primary key,
  subject text not null,
  message_id text not null,
  aggregate text not null,
  payload text not null,
  created_at timestamptz not null default now()
);

-- What a consumer has done already, written in the transaction that did it.
create table processed_events (
  consumer text not null,
  event_id text not null,
  processed_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index processed_events_age on processed_events (processed_at);

-- First answers of writes that a client may repeat after a lost answer.
create table idempotency_keys (
  user_id text not null,
  key text not null,
  request text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Down Migration

drop table idempotency_keys;
drop table processed_events;
drop table outbox;
