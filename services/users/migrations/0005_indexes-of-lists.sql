-- no transaction
-- Up Migration

-- A list by role or status is read in the order of all people, or of those of that role and status, or of that department.
drop index concurrently if exists users_of_role;
drop index concurrently if exists users_of_status;
drop index concurrently if exists users_of_department_role;
drop index concurrently if exists users_of_department_status;
drop index concurrently if exists users_of_department_standing;
