-- Up Migration

-- Who refers to an object is counted here, whoever writes: pods of the release before know nothing of it. Keys are compared by their
-- bytes, as the object store lists them.
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

-- Nobody writes until the triggers count.
lock table document_versions in share row exclusive mode;

insert into objects (object_key, owner_id, sha256, size, mimetype, reference_count, created_at)
select object_key, min(uploaded_by), min(sha256), min(size), min(mimetype), count(*), min(created_at)
from document_versions group by object_key;

create function add_object_reference() returns trigger language plpgsql as $$
begin
  insert into objects (object_key, owner_id, sha256, size, mimetype, reference_count)
  values (new.object_key, new.uploaded_by, new.sha256, new.size, new.mimetype, 1)
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

create trigger document_versions_refer after insert on document_versions
  for each row execute function add_object_reference();
create trigger document_versions_let_go after delete on document_versions
  for each row execute function drop_object_reference();

-- Pods of the release before list what a document they delete had, the same object twice where a version came back.
create function list_object_once() returns trigger language plpgsql as $$
begin
  if exists (select from objects_to_delete d where d.object_key = new.object_key) then return null; end if;
  return new;
end $$;
create trigger objects_to_delete_once before insert on objects_to_delete
  for each row execute function list_object_once();

-- The same content may be the file of several documents. The index first: from the other on nobody even reads until the end.
create index document_versions_object on document_versions (object_key);
alter table document_versions drop constraint document_versions_object_key_key;

-- Which earlier version this one brought back.
alter table document_versions add column restored_from integer;

-- The bin: `documents` is what is not in it, so that nothing that reads or writes documents can forget to ask. Who deletes a row of it,
-- as pods of the release before do, deletes for good.
alter table documents rename to all_documents;
alter table all_documents add column deleted_at timestamptz;
alter table all_documents add column deleted_by text;
create index documents_deleted on all_documents (deleted_at) where deleted_at is not null;
create view documents as
  select id, name, description, visibility, tags, uploaded_by, project_id, object_key, extension, mimetype, size, sha256,
         file_number, downloads, created_at, updated_at, version
  from all_documents where deleted_at is null;

-- Down Migration

drop view documents;
delete from all_documents where deleted_at is not null;
drop index documents_deleted;
alter table all_documents drop column deleted_by;
alter table all_documents drop column deleted_at;
alter table all_documents rename to documents;
alter table document_versions drop column restored_from;
drop index document_versions_object;
drop trigger objects_to_delete_once on objects_to_delete;
drop function list_object_once();
drop trigger document_versions_let_go on document_versions;
drop trigger document_versions_refer on document_versions;
drop function drop_object_reference();
drop function add_object_reference();
drop table objects;
