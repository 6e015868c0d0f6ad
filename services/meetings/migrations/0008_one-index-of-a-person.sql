-- no transaction
-- Up Migration

-- How long the longest one is, which says how far behind a range what overlaps with it may end: one look, and nobody's whole future.
drop index concurrently if exists meetings_by_length;
create index concurrently meetings_by_length on meetings ((ends_at - starts_at));

-- One index instead of two has a person's lists, ranges, numbers and busy times: all are ranges of starts, that begin so far before as the
-- longest meeting is long (meetings_by_length). A series that moves has hundreds of people's rows for each of hundreds of meetings, and each
-- row is written to every index. Pods of the release before read by it, too.
drop index concurrently if exists participants_of_person;
create index concurrently participants_of_person on participants (user_id, starts_at, meeting_id) include (ends_at, response);
drop index concurrently if exists participants_by_start;
drop index concurrently if exists participants_by_end;

-- Down Migration

create index concurrently if not exists participants_by_start on participants (user_id, starts_at, meeting_id);
create index concurrently if not exists participants_by_end on participants (user_id, ends_at, starts_at, meeting_id);
drop index concurrently if exists participants_of_person;
drop index concurrently if exists meetings_by_length;
