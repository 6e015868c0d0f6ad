-- no transaction
-- Up Migration

call fill_task_search();
-- The index of before, `tasks_search`, stays until the next release: who goes back to the release before searches by it.
analyze tasks;
