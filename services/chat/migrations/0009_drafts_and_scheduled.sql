-- The draft of a user in a conversation or in a thread, whose id `log_id` is.
create table drafts (
  user_id text not null,
  log_id text not null,
  conversation_id text not null references conversations (conversation_id) on delete cascade,
  content text not null,
  -- The time of the last change, in milliseconds since 1970. Increases with each one.
  version bigint not null,
  primary key (user_id, log_id)
) with (fillfactor = 80);
create index drafts_changed on drafts (user_id, version desc);
create index drafts_conversation on drafts (conversation_id);

-- Messages that are sent later. One that could not be sent stays, also if its conversation is deleted.
create table scheduled_messages (
  scheduled_id text primary key,
  user_id text not null,
  conversation_id text not null,
  -- For a reply: its root.
  thread_id text,
  also_in_conversation boolean not null default false,
  content text not null,
  client_message_id text not null,
  send_at timestamptz not null,
  -- Why it was not sent.
  failure text,
  created_at timestamptz not null default now(),
  unique (user_id, client_message_id)
);
create index scheduled_messages_user on scheduled_messages (user_id, (failure is null), send_at);
create index scheduled_messages_due on scheduled_messages (send_at) where failure is null;

alter table saved_messages add column remind_at timestamptz;
create index saved_messages_due on saved_messages (remind_at) where remind_at is not null;
