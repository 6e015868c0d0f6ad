-- Up Migration

-- A file that comes in parts, from its first call until a day after its last one. Which parts are there, the object store knows alone:
-- two places would have to agree after every death of a process. A finished one stays for the repeat of a call whose answer was lost.
create table document_uploads (
  id text primary key,
  uploaded_by text not null,
  -- The document that it becomes, or of which it is a new version.
  document_id text not null,
  is_version boolean not null,
  file_name text not null,
  size bigint not null check (size > 0),
  part_bytes integer not null check (part_bytes > 0),
  last_modified bigint,
  -- What is said of the document, as the contract parsed it.
  fields jsonb not null,
  object_key text collate "C" not null unique,
  -- What the object store calls it.
  store_upload_id text not null,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now()
);
create index document_uploads_of on document_uploads (uploaded_by) include (size) where finished_at is null;
create index document_uploads_touched on document_uploads (touched_at);

-- What is on its way counts with what is there, and the sweep leaves it alone.
create view uploads_under_way as
  select object_key, uploaded_by as owner_id, size from document_uploads where finished_at is null;

-- Its parts may have become an object just before, of which no record tells yet.
create function give_up_upload() returns trigger language plpgsql as $$
begin
  insert into objects_to_delete (object_key) values (old.object_key) on conflict do nothing;
  return null;
end $$;
create trigger document_uploads_give_up after delete on document_uploads
  for each row when (old.finished_at is null) execute function give_up_upload();

-- Down Migration

drop view uploads_under_way;
drop table document_uploads;
drop function give_up_upload();
