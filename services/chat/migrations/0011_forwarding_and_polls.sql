alter table messages
  -- The message that it forwards, as of then; of a forward of a forward, the first one.
  add column forwarded jsonb,
  -- The question and the options of a poll.
  add column poll jsonb,
  -- Increases with each vote, and when the poll is closed.
  add column poll_version integer not null default 0;

-- A deletion is a change of its own.
create trigger messages_1_record_poll_revision after update on messages for each row
  when (old.poll_version is distinct from new.poll_version and new.deleted_at is null)
  execute function record_message_revision();

-- The choice of each user; one who has withdrawn theirs has no options.
create table poll_votes (
  conversation_id text not null,
  message_id text not null,
  user_id text not null,
  options text[] not null,
  voted_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, message_id, user_id)
);

create function delete_votes_of_message() returns trigger language plpgsql as $$
begin
  delete from poll_votes where conversation_id = old.conversation_id and message_id = old.message_id;
  return null;
end $$;
create trigger messages_6_delete_votes after update on messages for each row
  when (old.poll is not null and new.poll is null)
  execute function delete_votes_of_message();
create trigger messages_delete_votes after delete on messages for each row
  when (old.poll is not null)
  execute function delete_votes_of_message();
