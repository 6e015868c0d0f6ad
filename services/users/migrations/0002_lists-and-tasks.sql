-- Up Migration

-- One index for each set of filters, in the list's order: a page is read where it stands, whatever there is besides and however the
-- roles are spread.
drop index users_of_department;
drop index users_by_role;
create index users_of_role on users (role, lower(last_name), lower(first_name), id) where deleted_at is null;
create index users_of_status on users (status, lower(last_name), lower(first_name), id) where deleted_at is null;
create index users_of_standing on users (role, status, lower(last_name), lower(first_name), id) where deleted_at is null;
create index users_of_department on users (department_id, lower(last_name), lower(first_name), id)
  where deleted_at is null;
create index users_of_department_role on users (department_id, role, lower(last_name), lower(first_name), id)
  where deleted_at is null;
create index users_of_department_status on users (department_id, status, lower(last_name), lower(first_name), id)
  where deleted_at is null;
create index users_of_department_standing
  on users (department_id, role, status, lower(last_name), lower(first_name), id) where deleted_at is null;
create index departments_by_name on departments (lower(name), id);

-- How many people of each kind there are, kept by the database itself, so that a total costs the same whatever there is to count.
-- An empty department is none.
create table user_counts (
  department_id text not null,
  role text not null,
  status text not null,
  n integer not null,
  primary key (department_id, role, status)
) with (fillfactor = 50);
-- By the month, in UTC, in which they joined.
create table user_joins (month date primary key, n integer not null) with (fillfactor = 50);

-- Counts every change that a list of people could show in its order, its filters or its search: what was found out about a list is
-- true for as long as this number stays. Its row is taken first and held to the end of the transaction, which also puts those
-- who count in a line.
create table user_list_state (
  one boolean primary key default true check (one),
  generation bigint not null default 0
) with (fillfactor = 50);
insert into user_list_state default values;

create function count_user(person users, by integer) returns void language plpgsql as $$
begin
  if person.deleted_at is not null then
    return;
  end if;
  insert into user_counts as kept values (coalesce(person.department_id, ''), person.role, person.status, by)
  on conflict (department_id, role, status) do update set n = kept.n + excluded.n;
  insert into user_joins as kept values (date_trunc('month', person.join_date at time zone 'UTC'), by)
  on conflict (month) do update set n = kept.n + excluded.n;
end
$$;

create function count_changed_user() returns trigger language plpgsql as $$
begin
  update user_list_state set generation = generation + 1;
  perform count_user(old, -1);
  perform count_user(new, 1);
  return null;
end
$$;

-- People who come or go in one statement are counted in one go.
create function count_moved_users() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update user_list_state set generation = generation + 1;
  insert into user_counts as kept
  select coalesce(department_id, ''), role, status, sign * count(*) from moved where deleted_at is null group by 1, 2, 3
  on conflict (department_id, role, status) do update set n = kept.n + excluded.n;
  insert into user_joins as kept
  select date_trunc('month', join_date at time zone 'UTC'), sign * count(*) from moved where deleted_at is null group by 1
  on conflict (month) do update set n = kept.n + excluded.n;
  return null;
end
$$;

create trigger users_added after insert on users referencing new table as moved
  for each statement execute function count_moved_users();
create trigger users_removed after delete on users referencing old table as moved
  for each statement execute function count_moved_users();
-- Most updates, such as a sign-in, change nothing that is counted or searched.
create trigger users_changed after update on users for each row
  when ((old.department_id, old.role, old.status, old.join_date, old.deleted_at, old.search)
    is distinct from (new.department_id, new.role, new.status, new.join_date, new.deleted_at, new.search))
  execute function count_changed_user();

insert into user_counts
select coalesce(department_id, ''), role, status, count(*) from users where deleted_at is null group by 1, 2, 3;
insert into user_joins
select date_trunc('month', join_date at time zone 'UTC'), count(*) from users where deleted_at is null group by 1;

create function forget_department_counts() returns trigger language plpgsql as $$
begin
  delete from user_counts where department_id = old.id;
  return null;
end
$$;
create trigger departments_removed after delete on departments
  for each row execute function forget_department_counts();

-- What is known of each task: who has it done, in which version. A row stays when its task goes, so that nothing late brings it back.
create table task_standings (
  task_id text primary key,
  project_id text not null,
  version integer not null,
  done_by text,
  gone boolean not null default false
);
create index task_standings_done on task_standings (done_by) where done_by is not null;
create index task_standings_of_project on task_standings (project_id);
create table gone_projects (project_id text primary key);

-- Down Migration

drop table gone_projects;
drop table task_standings;
drop trigger departments_removed on departments;
drop function forget_department_counts();
drop trigger users_changed on users;
drop trigger users_removed on users;
drop trigger users_added on users;
drop function count_moved_users();
drop function count_changed_user();
drop function count_user(users, integer);
drop table user_list_state;
drop table user_joins;
drop table user_counts;
drop index departments_by_name;
drop index users_of_department_standing;
drop index users_of_department_status;
drop index users_of_department_role;
drop index users_of_department;
drop index users_of_standing;
drop index users_of_status;
drop index users_of_role;
create index users_of_department on users (department_id) where deleted_at is null;
create index users_by_role on users (role, status) where deleted_at is null;
