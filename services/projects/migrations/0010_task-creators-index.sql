-- no transaction
-- Searches for what a user created (`from:`).
drop index concurrently if exists tasks_by_any_creator;
create index concurrently tasks_by_any_creator on tasks (created_by, created_at desc, id desc);
