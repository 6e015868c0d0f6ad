-- Up Migration

-- When people are busy is read from this alone, of hundreds at once.
create index participants_busy on participants (user_id, ends_at) include (starts_at, meeting_id)
  where response <> 'declined';
-- How long the longest one is, which says how far behind a range what overlaps with it may end: one look, and nobody's whole future.
create index meetings_by_length on meetings ((ends_at - starts_at));

-- The start of which somebody was reminded. A meeting that moves has another, and reminds anew.
alter table participants add column reminded_of timestamptz;

-- Down Migration

alter table participants drop column reminded_of;
drop index meetings_by_length;
drop index participants_busy;
