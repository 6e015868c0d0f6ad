create table projects (
  id text primary key,
  name text not null,
  description text not null,
  priority text not null,
  status text not null,
  manager_id text not null,
  progress smallint not null default 0 check (progress between 0 and 100),
  budget numeric(14, 2),
  start_date timestamptz,
  due_date timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  search text not null
);
create index projects_recent on projects (updated_at desc, id desc);
create index projects_status on projects (status, due_date);
-- Small enough to count all rows.
create index projects_by_status_and_priority on projects (status, priority);
create index projects_by_manager on projects (manager_id);

-- Team members other than the manager.
create table project_members (
  project_id text not null references projects (id) on delete cascade,
  user_id text not null,
  position integer not null,
  added_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_members_by_user on project_members (user_id);

-- Lists and counts are answered by the indexes alone, which works only for pages that vacuum has visited since their last change: the
-- default of a fifth of the table would leave too many pages unvisited.
create table tasks (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  title text not null,
  description text not null,
  status text not null,
  priority text not null,
  assigned_to text,
  start_date timestamptz,
  due_date timestamptz,
  progress smallint not null default 0 check (progress between 0 and 100),
  comment_count integer not null default 0,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  search text not null
) with (autovacuum_vacuum_scale_factor = 0.02);
create index tasks_recent on tasks (created_at desc, id desc);
create index tasks_by_project on tasks (project_id, created_at desc, id desc) include (assigned_to, status, priority, due_date);
create index tasks_by_assignee on tasks (assigned_to, created_at desc, id desc) include (project_id, status, priority, due_date);
-- Small enough to count all rows.
create index tasks_by_status_and_priority on tasks (status, priority);
create index tasks_by_priority on tasks (array_position(array['urgent', 'high', 'medium', 'low'], priority), due_date, id);
-- The predicate is written so that no filter by status implies it: otherwise searches would scan this index for all open tasks.
create index tasks_overdue on tasks (due_date) where (status <> 'done') is true;

create table task_comments (
  id text primary key,
  task_id text not null references tasks (id) on delete cascade,
  author_id text not null,
  comment text not null,
  -- Not the transaction's start: the task is locked by now, so that comments are ordered as they were accepted.
  created_at timestamptz not null default clock_timestamp()
);
create index task_comments_by_task on task_comments (task_id, created_at desc, id desc);

-- Decisions of meetings that requested a task, and the latest attempt that was answered. A decision has one task, however often its event
-- is delivered; the task may have been deleted since.
create table decision_tasks (
  decision_id text primary key,
  attempt integer not null,
  task_id text,
  updated_at timestamptz not null default now()
);

-- Without the extension a search reads every row: slower, but correct. Searches also read the pending list of the index, so it is kept
-- small where writes are frequent.
do $$
begin
  create extension if not exists pg_trgm;
  create index projects_search on projects using gin (search gin_trgm_ops);
  create index tasks_search on tasks using gin (search gin_trgm_ops) with (gin_pending_list_limit = 256);
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;

-- What searches compare (`search_text`).
create function fill_project_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.name || ' ' || new.description);
  return new;
end
$$;
create trigger projects_search_filled before insert or update of name, description on projects
  for each row execute function fill_project_search();

create function fill_task_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.title || ' ' || new.description);
  return new;
end
$$;
create trigger tasks_search_filled before insert or update of title, description on tasks
  for each row execute function fill_task_search();
