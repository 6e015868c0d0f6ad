create table departments (
  id text primary key,
  name text not null,
  -- Names are unique by this key (`unique_key`).
  name_key text not null,
  search text not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index departments_name on departments (name_key);
create index departments_by_name on departments (lower(name), id);

create table users (
  id text primary key,
  email text not null,
  first_name text not null,
  last_name text not null,
  phone text not null default '',
  location text not null default '',
  bio text not null default '',
  skills text[] not null default '{}',
  avatar text,
  timezone text not null default 'UTC',
  -- Settings that differ from the defaults.
  preferences jsonb not null default '{}',
  department_id text references departments (id),
  -- A self-assigned department grants no access. `assigned_department_id` is the one that an administrator assigned; it has no
  -- foreign key because it is only compared, and a deleted department matches nothing.
  department_self_assigned boolean not null default false,
  assigned_department_id text,
  role text not null check (role in ('admin', 'project_manager', 'member')),
  status text not null check (status in ('active', 'inactive')),
  invited boolean not null default false,
  tasks_completed integer not null default 0,
  join_date timestamptz not null,
  last_login timestamptz,
  sessions_valid_after bigint not null default 0,
  deleted_at timestamptz,
  -- A trigger fills it: a generated column cannot call a function that reads a table.
  search text not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index users_by_name on users (lower(last_name), lower(first_name), id) where deleted_at is null;
create index users_by_role_and_status on users (role, status, lower(last_name), lower(first_name), id) where deleted_at is null;
create index users_by_department on users (department_id, lower(last_name), lower(first_name), id) where deleted_at is null;
-- Small enough to count all rows.
create index users_by_role_status_department on users (role, status, department_id) where deleted_at is null;
create index users_by_join_date on users (join_date) where deleted_at is null;

-- Without the extension a search reads every row: slower, but correct.
do $$
begin
  create extension if not exists pg_trgm;
  create index users_search on users using gin (search gin_trgm_ops);
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;

-- The latest known version of each task, and who completed it. The row of a deleted task stays, so that a late event cannot revive it.
create table task_completions (
  task_id text primary key,
  project_id text not null,
  version integer not null,
  completed_by text,
  deleted boolean not null default false,
  deleted_at timestamptz default now()
);
create index task_completions_by_user on task_completions (completed_by) where completed_by is not null;
create index task_completions_by_project on task_completions (project_id);
create index task_completions_deleted on task_completions (deleted_at) where deleted;

create table deleted_projects (
  project_id text primary key,
  deleted_at timestamptz not null default now()
);

-- What searches compare (`search_text`).
create function fill_department_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.name);
  new.name_key := unique_key(new.name);
  return new;
end
$$;
create trigger departments_search before insert or update of name on departments
  for each row execute function fill_department_search();

create function fill_user_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.first_name || ' ' || new.last_name || ' ' || new.email);
  return new;
end
$$;
create trigger users_search before insert or update of first_name, last_name, email on users
  for each row execute function fill_user_search();

insert into departments (id, name) values
  ('000000000000000000000d01', 'Engineering'),
  ('000000000000000000000d02', 'Design'),
  ('000000000000000000000d03', 'Product'),
  ('000000000000000000000d04', 'Marketing'),
  ('000000000000000000000d05', 'Sales'),
  ('000000000000000000000d06', 'HR'),
  ('000000000000000000000d07', 'Finance');
