-- no transaction
-- Tasks that a user created and that are assigned to others, which are few.
drop index concurrently if exists tasks_by_creator;
create index concurrently tasks_by_creator on tasks (created_by, created_at desc, id desc) include (assigned_to, status, priority, due_date)
  where assigned_to <> created_by;
