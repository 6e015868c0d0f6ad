-- Up Migration

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
  version integer not null default 1
);
-- The list's order, with the id to make it total.
create index projects_recent on projects (updated_at desc, id desc);
create index projects_status on projects (status, due_date);

-- Team members; the manager stands in the project itself.
create table project_members (
  project_id text not null references projects (id) on delete cascade,
  user_id text not null,
  position integer not null,
  added_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_members_user on project_members (user_id);

create table tasks (
  id text primary key,
  project_id text not null references projects (id) on delete cascade,
  title text not null,
  description text not null,
  status text not null,
  priority text not null,
  assigned_to text,
  due_date timestamptz,
  progress smallint not null default 0 check (progress between 0 and 100),
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create index tasks_of_project on tasks (project_id, created_at desc, id desc);

-- Down Migration

drop table tasks;
drop table project_members;
drop table projects;
