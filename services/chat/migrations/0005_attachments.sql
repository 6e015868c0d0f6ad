-- Up Migration

-- Objects of the object store and how many attachments name each, as documents has them (decision 48). By key, not by conversation: the
-- same content by the same uploader is one object wherever it was sent. Keys are compared by their bytes, as the object store lists them.
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

-- Objects whose last reference has gone, until the object store has let them go, too.
create table objects_to_delete (
  object_key text primary key,
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index objects_to_delete_due on objects_to_delete (not_before);

-- The files of messages. Read along its primary key: those of a message, of a page of messages, and of a conversation, newest first.
-- It goes with its message, whoever removes that: pods of the release before know nothing of it.
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
-- Not unique: a sharded table could not promise it, and ids are random enough.
create index attachments_id on attachments (attachment_id);

-- Files that somebody saves as documents of their own: each is held here until documents has taken its copy, whatever becomes of the
-- message meanwhile, and for some days more.
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

create function add_object_reference() returns trigger language plpgsql as $$
begin
  insert into objects (object_key, owner_id, sha256, size, mimetype, reference_count)
  values (new.object_key, new.uploader_id, new.sha256, new.size, new.mimetype, 1)
  on conflict (object_key) do update set reference_count = objects.reference_count + 1;
  return null;
end $$;

-- The last reference takes the record along; the object follows once the object store agrees.
create function drop_object_reference() returns trigger language plpgsql as $$
begin
  update objects set reference_count = reference_count - 1 where object_key = old.object_key;
  delete from objects where object_key = old.object_key and reference_count = 0;
  if found then
    insert into objects_to_delete (object_key) values (old.object_key) on conflict do nothing;
  end if;
  return null;
end $$;

create trigger attachments_refer after insert on attachments
  for each row execute function add_object_reference();
create trigger attachments_let_go after delete on attachments
  for each row execute function drop_object_reference();

create trigger saved_attachments_refer after insert on saved_attachments
  for each row execute function add_object_reference();
create trigger saved_attachments_let_go after delete on saved_attachments
  for each row execute function drop_object_reference();

-- A deleted message stays as a tombstone, without its files. By its name this runs before `a_message_changed`, which holds the
-- conversation: who sends a file holds its object first and then the conversation, and so nobody waits in a circle.
create function let_files_of_message_go() returns trigger language plpgsql as $$
begin
  delete from attachments where conversation_id = new.conversation_id and seq = new.seq;
  return null;
end $$;
create trigger a_deletion_lets_files_go after update on messages for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function let_files_of_message_go();

-- Down Migration

drop trigger a_deletion_lets_files_go on messages;
drop function let_files_of_message_go();
drop table saved_attachments;
drop table attachments;
drop function drop_object_reference();
drop function add_object_reference();
drop table objects_to_delete;
drop table objects;
