-- When a done task was completed. Null for open tasks, and for those that were done before it was recorded.
alter table tasks add column completed_at timestamptz(3);
create index tasks_completed on tasks (project_id, completed_at) where completed_at is not null;

create function fill_task_completed_at() returns trigger language plpgsql as $$
begin
  new.completed_at := case when new.status = 'done' then now() end;
  return new;
end
$$;
create trigger tasks_completed_on_insert before insert on tasks
  for each row when (new.status = 'done') execute function fill_task_completed_at();
create trigger tasks_completed_on_update before update of status on tasks
  for each row when ((new.status = 'done') is distinct from (old.status = 'done')) execute function fill_task_completed_at();

-- The days (UTC) on which all projects were recorded. A missing day was not recorded.
create table snapshot_days (
  day date primary key,
  recorded_at timestamptz(3) not null
);

-- The state of a project on a day, and on the following recorded days until its next row. Without a foreign key, which would lock every
-- project while a day is recorded; housekeeping removes the rows of deleted projects.
create table project_snapshots (
  project_id text not null,
  day date not null,
  status text not null,
  progress smallint not null,
  todo integer not null,
  in_progress integer not null,
  review integer not null,
  done integer not null,
  primary key (project_id, day)
);
