-- Marking messages as unread is all that decreases a read position. Of two states of a user, the one with the higher revision is later;
-- within a revision, positions only increase. The sequence is shared, so that a new row continues after a deleted one.
create sequence read_revisions;

alter table participants
  add column read_revision bigint not null default 0,
  -- The highest read position before messages were marked as unread, which read receipts keep.
  add column receipt_seq bigint not null default 0;
-- Who rejoins continues with their revision; those without one are listed for a short time only.
alter table former_participants add column read_revision bigint not null default 0;

alter table thread_followers
  add column read_revision bigint not null default nextval('read_revisions'),
  add column receipt_seq bigint not null default 0;
