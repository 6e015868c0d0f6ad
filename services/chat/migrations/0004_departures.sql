-- Up Migration

-- Who was removed from a conversation a while ago: they are left out of what is told of it, on whichever pod their sockets are and whatever
-- that pod has heard. A table of its own, because pods of before read conversations with all columns.
create table departures (
  conversation_id text not null,
  user_id text not null,
  left_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, user_id)
);

-- Down Migration

drop table departures;
