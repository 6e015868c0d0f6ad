-- no transaction
-- Up Migration

drop trigger if exists a_tasks_added on tasks;
drop trigger if exists a_tasks_removed on tasks;
drop trigger if exists a_tasks_changed on tasks;
drop trigger if exists tasks_due_added on tasks;
drop trigger if exists tasks_due_changed on tasks;
drop trigger if exists tasks_due_removed on tasks;
drop trigger if exists a_projects_added on projects;
drop trigger if exists a_projects_removed on projects;
drop trigger if exists a_projects_changed on projects;
drop function if exists note_task_change();
drop function if exists note_project_change();
drop function if exists count_added_due_tasks();
drop function if exists count_removed_due_tasks();
drop function if exists count_moved_due_tasks();
drop function if exists count_due_tasks(date[], integer[]);
