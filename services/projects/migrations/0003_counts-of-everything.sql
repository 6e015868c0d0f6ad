-- Up Migration

-- The few rows about everything among the many about a project or a person: what their ids have in common misleads an estimate, and
-- the table would be read as a whole.
create index task_counts_of_everything on task_counts (status, priority) include (n)
  where project_id = '' and assigned_to = '';

-- Down Migration

drop index task_counts_of_everything;
