-- The conversation that lists the file. Null for the copy of a reply in its conversation, so that its files are listed once.
alter table attachments add column listed_in text;
update attachments a set listed_in = coalesce(m.parent_id, m.conversation_id) from messages m
where m.conversation_id = a.conversation_id and m.seq = a.seq and m.thread_id is null;
create index attachments_listed on attachments (listed_in, created_at, position, attachment_id) where listed_in is not null;

create function set_listed_in() returns trigger language plpgsql as $$
begin
  select coalesce(parent_id, conversation_id) into new.listed_in from messages
  where conversation_id = new.conversation_id and seq = new.seq and thread_id is null;
  return new;
end $$;
create trigger attachments_set_listed_in before insert on attachments for each row execute function set_listed_in();

drop index messages_with_links;
create index messages_with_links on messages (coalesce(parent_id, conversation_id), created_at, message_id)
  where content ~* '(https?://|www\.)[^[:space:]<>"'']' and deleted_at is null and thread_id is null;

-- A file counts toward the quota of its uploader until the uploader has deleted every message and emoji with it, then toward that
-- of the user who forwarded it first: only they can free its space. Runs after
-- `attachments_remove_reference`, which locks the object.
create index attachments_object on attachments (object_key);
create function transfer_object() returns trigger language plpgsql as $$
begin
  update objects o set owner_id = forward.sender_id
  from (
    select m.sender_id from attachments a join messages m on m.conversation_id = a.conversation_id and m.seq = a.seq
    where a.object_key = old.object_key order by a.created_at, a.attachment_id limit 1
  ) forward
  where o.object_key = old.object_key
    and not exists (
      select from attachments a join messages m on m.conversation_id = a.conversation_id and m.seq = a.seq
      where a.object_key = o.object_key and m.sender_id = o.owner_id
    )
    and not exists (select from custom_emoji e where e.object_key = o.object_key and e.uploader_id = o.owner_id);
  return null;
end $$;
create trigger attachments_transfer_object after delete on attachments for each row execute function transfer_object();
