-- Up Migration

drop procedure fill_task_search();
