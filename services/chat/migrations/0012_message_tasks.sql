alter table messages
  -- The tasks that were created from a message, in the order of their creation. Who can see them is up to the projects service.
  add column tasks text[] not null default '{}',
  -- Of the summary of a meeting: what its content says, in parts.
  add column summary jsonb;

-- A deletion and an edit of the content are changes of their own, and a new summary is a new message.
create trigger messages_1_record_task_revision after update on messages for each row
  when (
    (old.tasks is distinct from new.tasks or (old.summary is not null and old.summary is distinct from new.summary))
    and new.deleted_at is null and old.content = new.content
  )
  execute function record_message_revision();

-- The decisions of posted summaries, and the tasks of decisions, whichever is known first.
create table summary_decisions (
  decision_id text primary key,
  message_id text,
  task_id text
);
create index summary_decisions_message on summary_decisions (message_id) where message_id is not null;

create function delete_summary_decisions() returns trigger language plpgsql as $$
begin
  delete from summary_decisions where message_id = old.message_id;
  return null;
end $$;
create trigger messages_5_delete_summary_decisions after update on messages for each row
  when (old.summary is not null and new.summary is null)
  execute function delete_summary_decisions();
create trigger messages_delete_summary_decisions after delete on messages for each row
  when (old.summary is not null)
  execute function delete_summary_decisions();
