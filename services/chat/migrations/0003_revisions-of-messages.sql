-- Up Migration

-- The latest change, edit or deletion, of each message that was ever changed: `rev` counts up by one within the conversation. A table of
-- its own, so that messages which nobody changes cost what they did, and none of those that are there is looked at. Goes with its message.
create table message_changes (
  conversation_id text not null,
  seq bigint not null,
  rev bigint not null,
  primary key (conversation_id, seq),
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
) with (fillfactor = 80);
create unique index message_changes_rev on message_changes (conversation_id, rev);

-- By a trigger, so that what a pod of before changes has a revision, too.
create function note_message_change() returns trigger language plpgsql as $$
begin
  -- Held until the commit: whoever sees a revision sees all before it. Of a conversation that is gone nobody asks.
  perform from conversations where conversation_id = new.conversation_id for no key update;
  if not found then
    return null;
  end if;
  insert into message_changes (conversation_id, seq, rev)
  select new.conversation_id, new.seq, coalesce(max(rev), 0) + 1 from message_changes
  where conversation_id = new.conversation_id
  on conflict (conversation_id, seq) do update set rev = excluded.rev;
  return null;
end
$$;
create trigger a_message_changed after update on messages for each row
  when ((old.content, old.edited_at, old.deleted_at) is distinct from (new.content, new.edited_at, new.deleted_at))
  execute function note_message_change();

-- Down Migration

drop trigger a_message_changed on messages;
drop function note_message_change();
drop table message_changes;
