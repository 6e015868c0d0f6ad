-- no transaction
-- Takes 15 to 30 seconds for 100,000 users, whose changes wait in the meantime.
update users set first_name_sort_key = search_text(first_name), last_name_sort_key = search_text(last_name)
  where last_name_sort_key is null;
alter table users alter column first_name_sort_key set not null, alter column last_name_sort_key set not null;
drop index concurrently if exists users_by_name;
drop index concurrently if exists users_by_role_and_status;
drop index concurrently if exists users_by_department;
drop index concurrently if exists departments_by_name;
create index concurrently users_by_name on users (last_name_sort_key, first_name_sort_key, id) where deleted_at is null;
create index concurrently users_by_role_and_status on users (role, status, last_name_sort_key, first_name_sort_key, id) where deleted_at is null;
create index concurrently users_by_department on users (department_id, last_name_sort_key, first_name_sort_key, id) where deleted_at is null;
create index concurrently departments_by_name on departments (search collate "C", id);
