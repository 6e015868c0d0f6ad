-- Short, so that the keys of the index of words are.
alter table conversations add column number bigint generated always as identity;
create unique index conversations_number on conversations (number);

-- What searches compare, one row for each message and reply. A process fills it from the queue, so that no sender waits for it.
create table search_entries (
  message_id text primary key,
  -- That of the conversation, also for a reply.
  number bigint not null,
  sent_at timestamptz not null,
  -- When the message was edited; an entry of an earlier content is ignored.
  edited_at timestamptz,
  -- Each term after a space: words, names of files, the sender, and what the message has. Ends with a space.
  search text not null
);
create index search_entries_sent on search_entries (sent_at desc, message_id desc);
create index search_entries_conversation on search_entries (number, sent_at desc, message_id desc);

-- Each term after the number of its conversation, so that a search reads only what its user can see.
create function search_keys(number bigint, search text) returns tsvector language sql immutable strict parallel safe as $$
  select array_to_tsvector(string_to_array(
    number::text || '/' || replace(replace(btrim(search, ' '), ' | ', ' '), ' ', ' ' || number::text || '/'),
    ' '
  ))
$$;
-- Without a pending list, which every search would read.
create index search_entries_keys on search_entries using gin (search_keys(number, search)) with (fastupdate = off);

-- Messages to enter, again after each change. The last ones are processed first.
create table search_queue (
  position bigint generated always as identity primary key,
  message_id text not null
);
insert into search_queue (message_id)
select message_id from messages where thread_id is null and deleted_at is null order by created_at;

create function queue_search() returns trigger language plpgsql as $$
begin
  insert into search_queue (message_id) values (new.message_id);
  return null;
end $$;
create trigger messages_queue_search after insert on messages
  for each row when (new.thread_id is null) execute function queue_search();
create trigger messages_6_queue_search after update on messages
  for each row when (
    new.thread_id is null and new.deleted_at is null
    and (old.reaction_count > 0, old.thread_version > 0, old.pinned_at is null)
    is distinct from (new.reaction_count > 0, new.thread_version > 0, new.pinned_at is null)
  )
  execute function queue_search();

-- Nobody finds what a message contained, from the same moment. Queued, too: it may be being entered.
create function remove_search_entry() returns trigger language plpgsql as $$
begin
  delete from search_entries where message_id = old.message_id;
  insert into search_queue (message_id) values (old.message_id);
  return null;
end $$;
create trigger messages_5_remove_search_entry after update on messages
  for each row when (
    old.thread_id is null and (old.content, old.deleted_at) is distinct from (new.content, new.deleted_at)
  )
  execute function remove_search_entry();
create trigger messages_remove_search_entry after delete on messages
  for each row when (old.thread_id is null) execute function remove_search_entry();
