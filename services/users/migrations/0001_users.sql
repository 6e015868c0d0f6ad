-- Up Migration

create table departments (
  id text primary key,
  name text not null,
  is_active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index departments_name on departments (lower(name));

-- The seven of the settings form.
insert into departments (id, name) values
  ('000000000000000000000d01', 'Engineering'),
  ('000000000000000000000d02', 'Design'),
  ('000000000000000000000d03', 'Product'),
  ('000000000000000000000d04', 'Marketing'),
  ('000000000000000000000d05', 'Sales'),
  ('000000000000000000000d06', 'HR'),
  ('000000000000000000000d07', 'Finance');

create table users (
  id text primary key,
  email text not null,
  first_name text not null,
  last_name text not null,
  phone text not null default '',
  location text not null default '',
  department_id text references departments (id),
  role text not null check (role in ('admin', 'project_manager', 'member')),
  status text not null check (status in ('active', 'inactive')),
  invited boolean not null default false,
  bio text not null default '',
  skills text[] not null default '{}',
  avatar text,
  timezone text not null default 'UTC',
  join_date timestamptz not null,
  last_login timestamptz,
  tasks_completed integer not null default 0,
  sessions_valid_after bigint not null default 0,
  deleted_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The full name holds the first and the last; a search does not reach over the line's end.
  search text not null generated always as (lower(first_name || ' ' || last_name || E'\n' || email)) stored
);
-- The list's order, with the id to make it total.
create index users_by_name on users (lower(last_name), lower(first_name), id) where deleted_at is null;
create index users_of_department on users (department_id) where deleted_at is null;
create index users_by_role on users (role, status) where deleted_at is null;

-- Without the extension a search reads every row: slower for many thousands of people, and never wrong.
do $$
begin
  create extension if not exists pg_trgm;
  create index users_search on users using gin (search gin_trgm_ops);
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;

-- Down Migration

drop table users;
drop table departments;
