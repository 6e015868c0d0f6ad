-- The messages and replies that mention a user; an empty user is everyone. By these, unread mentions are counted.
create table mentions (
  conversation_id text not null,
  user_id text not null,
  seq bigint not null,
  sender_id text not null,
  primary key (conversation_id, user_id, seq),
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
);
create index mentions_message on mentions (conversation_id, seq);
