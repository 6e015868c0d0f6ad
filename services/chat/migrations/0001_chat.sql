-- Every table of conversations leads with `conversation_id`, so that a distributed PostgreSQL can shard it. For the same reason the id of a
-- direct conversation is derived from its pair and that of a project conversation from its project: the primary key keeps them unique.
create table conversations (
  conversation_id text primary key,
  type text not null check (type in ('direct', 'group', 'project')),
  title text,
  description text not null default '',
  created_by text,
  last_seq bigint not null default 0,
  participant_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
) with (fillfactor = 80);

-- Unread messages, without counting rows: last_seq - last_read_seq - own_after_read.
create table participants (
  conversation_id text not null references conversations (conversation_id) on delete cascade,
  user_id text not null,
  last_read_seq bigint not null,
  own_after_read bigint not null default 0 check (own_after_read >= 0),
  joined_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, user_id)
) with (fillfactor = 80);
create index participants_user on participants (user_id, conversation_id);
create index participants_joined on participants (conversation_id, joined_at, user_id);

-- Recently removed participants. Broadcasts exclude them, even on a pod that has not yet processed the removal.
create table former_participants (
  conversation_id text not null,
  user_id text not null,
  left_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, user_id)
);

-- No foreign key: only the statement that locks the conversation inserts messages, and the check would cost each of them.
create table messages (
  conversation_id text not null,
  seq bigint not null,
  message_id text not null,
  sender_id text not null,
  content text not null,
  type text not null,
  client_message_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  primary key (conversation_id, seq)
);
create unique index messages_client_message_id on messages (conversation_id, sender_id, client_message_id)
  where client_message_id is not null;
-- Not unique, which a sharded table could not enforce; ids are random enough.
create index messages_id on messages (message_id);
create index messages_with_links on messages (conversation_id, seq desc)
  where content ~* '(https?://|www\.)[^[:space:]<>"'']' and deleted_at is null;

-- The revision of the latest edit or deletion of each changed message, counted per conversation.
create table message_changes (
  conversation_id text not null,
  seq bigint not null,
  rev bigint not null,
  primary key (conversation_id, seq),
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
) with (fillfactor = 80);
create unique index message_changes_rev on message_changes (conversation_id, rev);

-- Deleted conversations whose messages are still being removed, in batches: `removed_seq` is the progress.
create table deleted_conversations (
  conversation_id text primary key,
  last_seq bigint not null,
  removed_seq bigint not null default 0,
  deleted_at timestamptz not null default now()
);

-- Project conversations by the latest event of their project. A row outlives its conversation, so that a late event cannot revive it.
create table project_conversations (
  conversation_id text primary key,
  project_id text not null,
  manager_id text not null default '',
  name text not null default '',
  people text[] not null default '{}',
  version integer not null default 0,
  closed boolean not null default false
);

-- Groups that a user created on a day (UTC), for the daily limit.
create table group_creations (
  user_id text primary key,
  day date not null,
  created integer not null
);

-- Objects of the object store, and how many attachments refer to each: the same content by the same user is one object in all
-- conversations. Thumbnails are objects without an owner. Keys are compared by their bytes, which is the order in which the
-- object store lists them.
create table objects (
  object_key text collate "C" primary key,
  owner_id text not null,
  sha256 text not null,
  size bigint not null,
  mimetype text not null,
  reference_count integer not null default 0 check (reference_count >= 0),
  missing_since timestamptz,
  created_at timestamptz not null default now()
);
create index objects_content on objects (owner_id, sha256) include (size);

-- Recorded by the transaction that removes the last reference, and deleted once the object store has removed the object.
create table objects_to_delete (
  object_key text primary key,
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index objects_to_delete_due on objects_to_delete (not_before);

-- Bytes of all objects, so that the quota of the workspace needs no sum. The trigger is deferred to the end of the transaction, so that no
-- transaction holds this row while it waits for another lock.
create table storage_usage (
  id boolean primary key default true check (id),
  bytes bigint not null
);
insert into storage_usage (bytes) values (0);

-- Files of messages. The primary key is also the index for a message, a page of messages, and a conversation, newest first.
create table attachments (
  conversation_id text not null,
  seq bigint not null,
  position smallint not null,
  attachment_id text not null,
  name text not null,
  extension text not null,
  size bigint not null,
  mimetype text not null,
  width integer,
  height integer,
  sha256 text not null,
  object_key text not null,
  uploader_id text not null,
  created_at timestamptz not null default now(),
  primary key (conversation_id, seq, position),
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
);
create index attachments_id on attachments (attachment_id);

-- Attachments that a user saves as documents. Each keeps its object until the documents service has copied it, whatever happens to the
-- message, and for some days more.
create table saved_attachments (
  document_id text primary key,
  object_key text not null,
  sha256 text not null,
  size bigint not null,
  mimetype text not null,
  uploader_id text not null,
  saved_at timestamptz not null default now()
);
create index saved_attachments_saved on saved_attachments (saved_at);

-- Both sizes of an image's thumbnail, rendered once for all messages that refer to it: `thumbnail_key` is the small one, `preview_key`
-- the large one.
create table thumbnails (
  object_key text collate "C" primary key references objects (object_key) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  reason text,
  -- Of the small thumbnail, in pixels.
  width integer,
  height integer,
  thumbnail_key text collate "C",
  preview_key text collate "C",
  -- Failures other than of the image, such as an unavailable object store.
  tries integer not null default 0,
  -- Attempts whose process never reported a result.
  unfinished integer not null default 0,
  not_before timestamptz not null default now(),
  requested_at timestamptz not null default now()
);
-- Newest first: someone is waiting for those.
create index thumbnails_pending on thumbnails (requested_at desc) where state = 'pending';

create function count_participants_added() returns trigger language plpgsql as $$
begin
  update conversations c set participant_count = c.participant_count + n.count
  from (select conversation_id, count(*) as count from added group by conversation_id) n
  where c.conversation_id = n.conversation_id;
  return null;
end $$;
create trigger participants_added after insert on participants
  referencing new table as added for each statement execute function count_participants_added();

create function count_participants_removed() returns trigger language plpgsql as $$
begin
  update conversations c set participant_count = c.participant_count - n.count
  from (select conversation_id, count(*) as count from removed group by conversation_id) n
  where c.conversation_id = n.conversation_id;
  return null;
end $$;
create trigger participants_removed after delete on participants
  referencing old table as removed for each statement execute function count_participants_removed();

create function record_message_revision() returns trigger language plpgsql as $$
begin
  -- Locked until the commit, so that a reader of a revision sees all earlier ones. A deleted conversation has no readers.
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
create trigger messages_1_record_revision after update on messages for each row
  when ((old.content, old.edited_at, old.deleted_at) is distinct from (new.content, new.edited_at, new.deleted_at))
  execute function record_message_revision();

-- A deleted message remains as a tombstone without its files. Triggers of the same event run in the order of their names: the conversation
-- is locked before the objects, in the same order as by a new message with files.
create function delete_attachments_of_message() returns trigger language plpgsql as $$
begin
  delete from attachments where conversation_id = new.conversation_id and seq = new.seq;
  return null;
end $$;
create trigger messages_2_delete_attachments after update on messages for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function delete_attachments_of_message();

create function add_object_reference() returns trigger language plpgsql as $$
begin
  insert into objects (object_key, owner_id, sha256, size, mimetype, reference_count)
  values (new.object_key, new.uploader_id, new.sha256, new.size, new.mimetype, 1)
  on conflict (object_key) do update set reference_count = objects.reference_count + 1;
  return null;
end $$;
create trigger attachments_add_reference after insert on attachments
  for each row execute function add_object_reference();
create trigger saved_attachments_add_reference after insert on saved_attachments
  for each row execute function add_object_reference();

create function remove_object_reference() returns trigger language plpgsql as $$
begin
  update objects set reference_count = reference_count - 1 where object_key = old.object_key;
  delete from objects where object_key = old.object_key and reference_count = 0;
  if found then
    insert into objects_to_delete (object_key) values (old.object_key) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger attachments_remove_reference after delete on attachments
  for each row execute function remove_object_reference();
create trigger saved_attachments_remove_reference after delete on saved_attachments
  for each row execute function remove_object_reference();

create function update_storage_usage() returns trigger language plpgsql as $$
begin
  update storage_usage set bytes = bytes + case tg_op when 'INSERT' then new.size else -old.size end;
  return null;
end $$;
create constraint trigger objects_update_storage after insert or delete on objects
  deferrable initially deferred for each row execute function update_storage_usage();

-- Runs after `attachments_add_reference`, which creates the object.
create function has_thumbnail(mimetype text) returns boolean language sql immutable strict parallel safe as $$
  select mimetype in ('image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff')
$$;
create function queue_thumbnail() returns trigger language plpgsql as $$
begin
  insert into thumbnails (object_key) values (new.object_key) on conflict do nothing;
  return null;
end $$;
create trigger attachments_queue_thumbnail after insert on attachments
  for each row when (has_thumbnail(new.mimetype)) execute function queue_thumbnail();

create function delete_thumbnail_objects() returns trigger language plpgsql as $$
begin
  with deleted as (
    delete from objects where object_key in (old.thumbnail_key, old.preview_key) returning object_key
  ) insert into objects_to_delete (object_key) select object_key from deleted on conflict do nothing;
  return null;
end $$;
create trigger thumbnails_delete_objects after delete on thumbnails for each row execute function delete_thumbnail_objects();

-- A thumbnail that the object store lost is rendered again. Its key starts with that of its image.
create function requeue_thumbnail() returns trigger language plpgsql as $$
begin
  update thumbnails set state = 'pending', not_before = now()
  where object_key = regexp_replace(new.object_key, '\.\d+\.webp$', '') and state = 'done';
  return null;
end $$;
create trigger objects_requeue_thumbnail after update of missing_since on objects
  for each row when (new.owner_id = '' and new.missing_since is not null and old.missing_since is null)
  execute function requeue_thumbnail();
