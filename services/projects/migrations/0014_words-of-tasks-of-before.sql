-- no transaction
-- Up Migration

call fill_task_search();
analyze tasks;
-- To pods of the release before a search reads every row from here on.
drop index concurrently if exists tasks_search;
