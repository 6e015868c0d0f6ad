-- The tasks that were created from a message, in the order of their creation. Who can see them is up to the projects service.
alter table messages add column tasks text[] not null default '{}';

-- A deletion is a change of its own.
create trigger messages_1_record_task_revision after update on messages for each row
  when (old.tasks is distinct from new.tasks and new.deleted_at is null)
  execute function record_message_revision();
