-- Up Migration

-- Every table leads with conversation_id, so that a distributed PostgreSQL shards it as it is. That is also why the once-per-pair
-- and once-per-project rules are the primary key: the id of such a conversation is made from the pair or the project.
create table conversations (
  conversation_id text primary key,
  type text not null check (type in ('direct', 'group', 'project')),
  title text,
  description text not null default '',
  created_by text,
  last_seq bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
) with (fillfactor = 80);

-- unread = last_seq - last_read_seq - own_after_read: what others wrote beyond the watermark, without counting a row.
create table participants (
  conversation_id text not null references conversations (conversation_id) on delete cascade,
  user_id text not null,
  last_read_seq bigint not null,
  own_after_read bigint not null default 0 check (own_after_read >= 0),
  joined_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, user_id)
) with (fillfactor = 80);
create index participants_user on participants (user_id, conversation_id);

-- No foreign key: a message is only ever inserted by the statement that holds its conversation's row, and it saves a check each.
create table messages (
  conversation_id text not null,
  seq bigint not null,
  message_id text not null,
  sender_id text not null,
  content text not null,
  type text not null,
  client_message_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  primary key (conversation_id, seq)
);
create unique index messages_sent_once on messages (conversation_id, sender_id, client_message_id)
  where client_message_id is not null;
-- Not unique: a sharded table could not promise it, and ids are random enough.
create index messages_id on messages (message_id);

-- What the conversation of a project was last told of it. Outlives the conversation, so that a late event cannot bring it back.
create table project_conversations (
  conversation_id text primary key,
  project_id text not null,
  manager_id text not null default '',
  name text not null default '',
  people text[] not null default '{}',
  version integer not null default 0,
  closed boolean not null default false
);

-- Down Migration

drop table project_conversations;
drop table messages;
drop table participants;
drop table conversations;
