-- Up Migration

-- Lists are read as they stand, and nobody remembers any. To pods of the release before the number has always moved, so that they find
-- every list anew. The triggers do nothing from here on; the last file takes them off, each by itself, so that nobody who reads
-- waits for one table and holds another.
lock table tasks in share row exclusive mode;
create or replace function note_task_change() returns trigger language plpgsql as 'begin return null; end';
create or replace function count_added_due_tasks() returns trigger language plpgsql as 'begin return null; end';
create or replace function count_removed_due_tasks() returns trigger language plpgsql as 'begin return null; end';
create or replace function count_moved_due_tasks() returns trigger language plpgsql as 'begin return null; end';

drop table task_list_state;
create view task_list_state as
select 0 as part, (extract(epoch from clock_timestamp()) * 1000000)::bigint as generation;
drop table task_due_counts;
create view task_due_counts as
select open_task_day(status, due_date) as day, 0 as part, count(*)::integer as n from tasks
where open_task_day(status, due_date) is not null group by 1;
