-- Up Migration

-- Comments of a task, and how many there are, so that a list need not count them.
alter table tasks add column comment_count integer not null default 0;
create table task_comments (
  id text primary key,
  task_id text not null references tasks (id) on delete cascade,
  author_id text not null,
  comment text not null,
  -- Not the transaction's start: the task is locked by then, so that comments stand in the order in which they were let in.
  created_at timestamptz not null default clock_timestamp()
);
create index task_comments_of_task on task_comments (task_id, created_at desc, id desc);

-- A list asks for each status and priority apart and merges: every index leads with what is fixed and goes on in the list's order.
create index projects_filtered on projects (status, priority, updated_at desc, id desc);
create index projects_of_manager on projects (manager_id);
create index tasks_recent on tasks (created_at desc, id desc);
create index tasks_filtered on tasks (status, priority, created_at desc, id desc);
create index tasks_urgent on tasks (status, priority, due_date, id);
create index tasks_of_project_filtered on tasks (project_id, status, priority, created_at desc, id desc);
create index tasks_of_project_urgent on tasks (project_id, status, priority, due_date, id);
create index tasks_of_person on tasks (assigned_to, created_at desc, id desc);
create index tasks_of_person_filtered on tasks (assigned_to, status, priority, created_at desc, id desc);
create index tasks_of_person_urgent on tasks (assigned_to, status, priority, due_date, id);
create index tasks_of_person_in_project on tasks (project_id, assigned_to, created_at desc, id desc) include (status, priority, due_date);

-- Without the extension a search reads every row: slower for many thousands of tasks, and never wrong.
do $$
begin
  create extension if not exists pg_trgm;
  create index projects_search on projects using gin (lower(name || E'\n' || description) gin_trgm_ops);
  create index tasks_search on tasks using gin (lower(title || E'\n' || description) gin_trgm_ops);
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;

-- How many there are of each kind, kept by the database itself, so that a total costs the same whatever there is to count. The rows
-- over everything are in eight parts, so that writers who have nothing to do with each other seldom wait for one another.
create table project_counts (
  status text not null,
  priority text not null,
  part integer not null,
  n integer not null,
  primary key (status, priority, part)
) with (fillfactor = 50);

-- Of everything, of a project, or of a person: the other ids are empty.
create table task_counts (
  project_id text not null,
  assigned_to text not null,
  status text not null,
  priority text not null,
  part integer not null,
  n integer not null,
  primary key (project_id, assigned_to, status, priority, part)
) with (fillfactor = 70);

create function count_projects() returns trigger language plpgsql as $$
declare
  changes project_counts[];
begin
  if tg_op = 'INSERT' then
    changes := array(select row(status, priority, 0, count(*))::project_counts from after group by status, priority);
  elsif tg_op = 'DELETE' then
    changes := array(select row(status, priority, 0, -count(*))::project_counts from before group by status, priority);
  else
    changes := array(
      select row(status, priority, 0, sum(n))::project_counts
      from (select status, priority, -1 as n from before union all select status, priority, 1 from after) as moved
      group by status, priority having sum(n) <> 0
    );
  end if;
  -- Every writer takes the rows in one order, so that none waits for another in a circle.
  insert into project_counts as kept (status, priority, part, n)
  select status, priority, pg_backend_pid() % 8, n from unnest(changes) order by status, priority
  on conflict (status, priority, part) do update set n = kept.n + excluded.n;
  return null;
end
$$;

create function count_tasks() returns trigger language plpgsql as $$
declare
  changes task_counts[];
begin
  if tg_op = 'INSERT' then
    changes := array(
      select row(project_id, coalesce(assigned_to, ''), status, priority, 0, count(*))::task_counts
      from after group by project_id, assigned_to, status, priority
    );
  elsif tg_op = 'DELETE' then
    changes := array(
      select row(project_id, coalesce(assigned_to, ''), status, priority, 0, -count(*))::task_counts
      from before group by project_id, assigned_to, status, priority
    );
  else
    changes := array(
      select row(project_id, coalesce(assigned_to, ''), status, priority, 0, sum(n))::task_counts
      from (
        select project_id, assigned_to, status, priority, -1 as n from before
        union all
        select project_id, assigned_to, status, priority, 1 from after
      ) as moved
      group by project_id, assigned_to, status, priority having sum(n) <> 0
    );
  end if;
  if cardinality(changes) = 0 then
    return null;
  end if;
  -- For everything, for the project and for the person. In one order, as above.
  insert into task_counts as kept (project_id, assigned_to, status, priority, part, n)
  select project, person, status, priority, case when project = '' and person = '' then pg_backend_pid() % 8 else 0 end, sum(n)
  from unnest(changes) as change
  cross join lateral (
    select '' as project, '' as person
    union all select change.project_id, ''
    union all select '', change.assigned_to where change.assigned_to <> ''
  ) as level
  group by 1, 2, 3, 4, 5 having sum(n) <> 0
  order by 1, 2, 3, 4, 5
  on conflict (project_id, assigned_to, status, priority, part) do update set n = kept.n + excluded.n;
  if tg_op = 'DELETE' then
    -- So that a deleted project leaves nothing. Rows that somebody else is writing stay: to wait for them here would be out of order.
    delete from task_counts where (project_id, assigned_to, status, priority, part) in (
      select project_id, assigned_to, status, priority, part from task_counts
      where project_id in (select project_id from unnest(changes)) and n = 0 for update skip locked
    );
  end if;
  return null;
end
$$;

create trigger projects_added after insert on projects referencing new table as after
  for each statement execute function count_projects();
create trigger projects_changed after update on projects referencing old table as before new table as after
  for each statement execute function count_projects();
create trigger projects_removed after delete on projects referencing old table as before
  for each statement execute function count_projects();
create trigger tasks_added after insert on tasks referencing new table as after
  for each statement execute function count_tasks();
create trigger tasks_changed after update on tasks referencing old table as before new table as after
  for each statement execute function count_tasks();
create trigger tasks_removed after delete on tasks referencing old table as before
  for each statement execute function count_tasks();

insert into project_counts select status, priority, 0, count(*) from projects group by status, priority;
insert into task_counts
select coalesce(project_id, ''), coalesce(assigned_to, ''), status, priority, 0, count(*)
from tasks group by grouping sets ((status, priority), (project_id, status, priority), (assigned_to, status, priority))
having not (grouping(assigned_to) = 0 and assigned_to is null);

-- Down Migration

drop trigger tasks_removed on tasks;
drop trigger tasks_changed on tasks;
drop trigger tasks_added on tasks;
drop trigger projects_removed on projects;
drop trigger projects_changed on projects;
drop trigger projects_added on projects;
drop function count_tasks();
drop function count_projects();
drop table task_counts;
drop table project_counts;
drop index if exists tasks_search;
drop index if exists projects_search;
drop index tasks_of_person_in_project;
drop index tasks_of_person_urgent;
drop index tasks_of_person_filtered;
drop index tasks_of_person;
drop index tasks_of_project_urgent;
drop index tasks_of_project_filtered;
drop index tasks_urgent;
drop index tasks_filtered;
drop index tasks_recent;
drop index projects_of_manager;
drop index projects_filtered;
drop table task_comments;
alter table tasks drop column comment_count;
