-- no transaction
-- Up Migration

-- What all filters of a project's or a person's tasks ask for stands in one index, so that they are filtered, sorted and counted there.
drop index concurrently if exists tasks_by_project;
create index concurrently tasks_by_project on tasks (project_id, created_at desc, id desc) include (assigned_to, status, priority, due_date);
drop index concurrently if exists tasks_by_person;
create index concurrently tasks_by_person on tasks (assigned_to, created_at desc, id desc) include (project_id, status, priority, due_date);
drop index concurrently if exists tasks_by_priority;
create index concurrently tasks_by_priority on tasks (array_position(array['urgent', 'high', 'medium', 'low'], priority), due_date, id);
drop index concurrently if exists tasks_overdue;
create index concurrently tasks_overdue on tasks (due_date) where status <> 'done';

drop index concurrently if exists tasks_of_project;
drop index concurrently if exists tasks_filtered;
drop index concurrently if exists tasks_urgent;
drop index concurrently if exists tasks_of_project_filtered;
drop index concurrently if exists tasks_of_project_urgent;
drop index concurrently if exists tasks_of_person;
drop index concurrently if exists tasks_of_person_filtered;
drop index concurrently if exists tasks_of_person_urgent;
drop index concurrently if exists tasks_of_person_in_project;
drop index concurrently if exists projects_filtered;
