-- Up Migration

-- Decisions of meetings that asked for a task, and what was answered to the last attempt. A decision has one task, however often it is told; the
-- task may be gone since.
create table decision_tasks (
  decision_id text primary key,
  attempt integer not null,
  task_id text
);

-- Down Migration

drop table decision_tasks;
