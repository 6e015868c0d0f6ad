-- Documents with the data of their current file, so that lists and totals need no join. The view `documents` excludes the trash; queries
-- use it by default. Deleting a row here is permanent.
create table all_documents (
  id text primary key,
  name text not null,
  description text not null,
  visibility text not null check (visibility in ('private', 'team', 'public')),
  tags text[] not null,
  uploaded_by text not null,
  project_id text,
  object_key text not null,
  extension text not null,
  mimetype text not null,
  size bigint not null check (size > 0),
  sha256 text not null,
  file_number integer not null default 1,
  downloads bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  deleted_at timestamptz,
  deleted_by text,
  -- Filled by a trigger: an expression index would recompute it for each candidate row.
  search text not null
);

create view documents as
  select id, name, description, visibility, tags, uploaded_by, project_id, object_key, extension, mimetype, size, sha256,
         file_number, downloads, created_at, updated_at, version, search
  from all_documents where deleted_at is null;

-- Every file that a document ever had, including the current one. Objects without a version, other than thumbnails, are orphans.
create table document_versions (
  document_id text not null references all_documents (id) on delete cascade,
  number integer not null,
  object_key text not null,
  extension text not null,
  mimetype text not null,
  size bigint not null,
  sha256 text not null,
  uploaded_by text not null,
  restored_from integer,
  created_at timestamptz not null default now(),
  primary key (document_id, number)
);
create index document_versions_object on document_versions (object_key);
create index document_versions_uploader on document_versions (uploaded_by) include (size);

-- Access beyond the visibility: of users, and of the current members of a department or a project.
create table document_grants (
  document_id text not null references all_documents (id) on delete cascade,
  user_id text not null,
  granted_by text not null,
  created_at timestamptz not null default now(),
  primary key (document_id, user_id)
);
create index document_grants_user on document_grants (user_id);

create table document_group_grants (
  document_id text not null references all_documents (id) on delete cascade,
  department_id text,
  project_id text,
  granted_by text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(department_id, project_id) = 1),
  unique nulls not distinct (document_id, department_id, project_id)
);
create index document_group_grants_department on document_group_grants (department_id, document_id) where department_id is not null;
create index document_group_grants_project on document_group_grants (project_id, document_id) where project_id is not null;

create view document_shares as
  select document_id, user_id, null::text as department_id, null::text as project_id, granted_by, created_at from document_grants
  union all
  select document_id, null::text, department_id, project_id, granted_by, created_at from document_group_grants;

create table document_downloads (
  id bigint generated always as identity primary key,
  document_id text not null references all_documents (id) on delete cascade,
  user_id text not null,
  file_number integer not null,
  created_at timestamptz not null default now()
);
create index document_downloads_document on document_downloads (document_id, id desc);
create index document_downloads_age on document_downloads (created_at);

-- The members of each project as of its latest event. Rows of deleted projects stay, so that late events cannot revive them.
create table projects (
  id text primary key,
  version integer not null,
  deleted boolean not null default false
);

create table project_people (
  project_id text not null references projects (id) on delete cascade,
  user_id text not null,
  primary key (project_id, user_id)
);
create index project_people_user on project_people (user_id);

-- Objects of the object store, and how many versions refer to each: the same content by the same user is one object. Thumbnails are
-- objects without an owner. Keys are compared by their bytes, which is the order in which the object store lists them.
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

-- Inserted by the transaction that removes the last reference, and deleted once the object store has removed the object.
create table objects_to_delete (
  object_key text primary key,
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index objects_to_delete_due on objects_to_delete (not_before);

-- Multipart uploads, for a day after their last request. Only the object store records which parts exist: two records would have to be
-- reconciled after every crash. A finished upload stays, so that a repeated request gets the response that was lost.
create table document_uploads (
  id text primary key,
  uploaded_by text not null,
  -- The document that it creates or adds a version to.
  document_id text not null,
  is_version boolean not null,
  file_name text not null,
  size bigint not null check (size > 0),
  part_bytes integer not null check (part_bytes > 0),
  last_modified bigint,
  fields jsonb not null,
  object_key text collate "C" not null unique,
  store_upload_id text not null,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now()
);
create index document_uploads_unfinished on document_uploads (uploaded_by) include (size) where finished_at is null;
create index document_uploads_touched on document_uploads (touched_at);

-- Attachments of messages that become documents: quota is reserved here before the bytes are copied, and failures are stored for their
-- user.
create table attachment_saves (
  document_id text primary key,
  owner_id text not null,
  object_key text collate "C" not null,
  size bigint not null,
  failure text,
  created_at timestamptz not null default now()
);
create index attachment_saves_pending on attachment_saves (owner_id) include (size) where failure is null;

-- Pending multipart uploads and attachment copies: they count toward quotas and are excluded from orphan removal.
create view pending_uploads as
  select object_key, uploaded_by as owner_id, size from document_uploads where finished_at is null
  union all
  select object_key, owner_id, size from attachment_saves where failure is null;

-- Bytes of all objects and unfinished uploads, so that the workspace quota needs no sum. The triggers are deferred to the end of the
-- transaction, so that no transaction locks this row while it waits for another lock.
create table storage_usage (
  id boolean primary key default true check (id),
  bytes bigint not null
);
insert into storage_usage (bytes) values (0);

-- The text of an object, extracted once for all documents and versions that refer to it. Searches join it to documents by their current
-- file, so that deleted, replaced, and unshared documents are not found.
create table object_texts (
  object_key text collate "C" primary key references objects (object_key) on delete cascade,
  -- none: the file has no text. failed: the file cannot be read.
  state text not null default 'pending' check (state in ('pending', 'done', 'none', 'failed')),
  reason text,
  is_cut boolean not null default false,
  text text,
  -- The text as it is compared by searches, with a leading space.
  folded text,
  words tsvector,
  -- Failures other than of the file, such as an unavailable object store.
  tries integer not null default 0,
  -- Attempts whose process never reported a result.
  unfinished integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
-- Newest first: users may be waiting for those.
create index object_texts_pending on object_texts (created_at desc) where state = 'pending';
-- Without a pending list, which every search would read; only background workers write.
create index object_texts_words on object_texts using gin (words) with (fastupdate = off);

-- Both sizes of an image's thumbnail, rendered once for all documents and versions that refer to it: `thumbnail_key` is the small one,
-- `preview_key` the large one.
create table thumbnails (
  object_key text collate "C" primary key references objects (object_key) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  reason text,
  -- Of the small thumbnail, in pixels.
  width integer,
  height integer,
  thumbnail_key text collate "C",
  preview_key text collate "C",
  -- As in `object_texts`.
  tries integer not null default 0,
  unfinished integer not null default 0,
  not_before timestamptz not null default now(),
  requested_at timestamptz not null default now()
);
create index thumbnails_pending on thumbnails (requested_at desc) where state = 'pending';

-- Downloaded documents by number of downloads. The counter in `all_documents` is not indexed, so that a download updates no index.
create table document_popularity (
  document_id text primary key references all_documents (id) on delete cascade,
  scope text collate "C" not null,
  downloads bigint not null
);
create index document_popularity_by_scope on document_popularity (scope, downloads desc, document_id desc);
create index document_popularity_by_downloads on document_popularity (downloads desc, document_id desc);

-- The audience of a document: `all` for everyone, `p…` for the members of a project, `u…` for the uploader only.
create function document_scope(visibility text, project_id text, uploaded_by text) returns text
language sql immutable parallel safe as $$
  select case
    when visibility = 'private' then 'u' || uploaded_by
    when visibility = 'team' and project_id is not null then 'p' || project_id
    else 'all'
  end
$$;

-- The extension is used only where the media type, which is detected from the bytes, is ambiguous.
create function document_kind(mimetype text, extension text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return case
    when mimetype = 'application/pdf' then 'pdf'
    when mimetype like 'image/%' then 'image'
    when mimetype like 'audio/%' then 'audio'
    when mimetype like 'video/%' then 'video'
    when mimetype ~ 'spreadsheet|ms-excel|^text/csv' or extension in ('xlsx', 'xls', 'ods') then 'spreadsheet'
    when mimetype ~ 'presentation|powerpoint' or extension in ('pptx', 'ppt', 'odp') then 'presentation'
    when mimetype ~ 'word|opendocument\.text|rtf|epub' or extension in ('docx', 'doc', 'odt') then 'document'
    when mimetype ~ '^text/|json|xml' then 'text'
    when mimetype ~ 'zip|gzip|x-tar|7z|rar|bzip|zstd|x-xz|compress' then 'archive'
    else 'other'
  end;
end $$;

create index documents_by_age on all_documents (created_at desc, id desc) include (visibility, uploaded_by, project_id)
  where deleted_at is null;
create index documents_by_name on all_documents (lower(name), id) where deleted_at is null;
create index documents_by_size on all_documents (size, id) where deleted_at is null;
create index documents_by_kind on all_documents (document_kind(mimetype, extension), created_at desc, id desc);
create index documents_by_tag on all_documents using gin (tags) with (gin_pending_list_limit = 256);
create index documents_by_object on all_documents (object_key collate "C");
create index documents_uploader on all_documents (uploaded_by);
create index documents_project on all_documents (project_id) where project_id is not null;
create index documents_of_projects on all_documents (uploaded_by, project_id)
  where visibility = 'team' and project_id is not null and deleted_at is null;
create index documents_deleted on all_documents (deleted_at) where deleted_at is not null;
-- Each order of the list, by scope: a page merges the scopes that its reader has access to. An index can replace the table only if it also
-- has the columns of the expression: totals are counted in the first.
create index documents_of_scope_by_age
  on all_documents (document_scope(visibility, project_id, uploaded_by), created_at desc, id desc)
  include (visibility, project_id, uploaded_by) where deleted_at is null;
create index documents_of_scope_by_name
  on all_documents (document_scope(visibility, project_id, uploaded_by), lower(name), id) where deleted_at is null;
create index documents_of_scope_by_size
  on all_documents (document_scope(visibility, project_id, uploaded_by), size, id) where deleted_at is null;

-- Without the extension, searches scan every row: slower, but correct.
do $$
begin
  create extension if not exists pg_trgm;
  create index documents_by_words on all_documents using gin (search gin_trgm_ops) with (gin_pending_list_limit = 256);
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;

create function fill_document_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.name || ' ' || new.description || ' ' || array_to_string(new.tags, ' '));
  return new;
end
$$;
create trigger documents_search before insert or update of name, description, tags on all_documents
  for each row execute function fill_document_search();

-- Triggers of the same event run in alphabetical order: `document_versions_add_reference` creates the object that the later ones need.
create function add_object_reference() returns trigger language plpgsql as $$
begin
  insert into objects (object_key, owner_id, sha256, size, mimetype, reference_count)
  values (new.object_key, new.uploaded_by, new.sha256, new.size, new.mimetype, 1)
  on conflict (object_key) do update set reference_count = objects.reference_count + 1;
  return null;
end $$;
create trigger document_versions_add_reference after insert on document_versions
  for each row execute function add_object_reference();

create function queue_text() returns trigger language plpgsql as $$
begin
  insert into object_texts (object_key) values (new.object_key) on conflict do nothing;
  return null;
end $$;
create trigger document_versions_queue_text after insert on document_versions
  for each row execute function queue_text();

create function has_thumbnail(mimetype text) returns boolean language sql immutable strict parallel safe as $$
  select mimetype in ('image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/tiff')
$$;
create function queue_thumbnail() returns trigger language plpgsql as $$
begin
  insert into thumbnails (object_key) values (new.object_key) on conflict do nothing;
  return null;
end $$;
create trigger document_versions_queue_thumbnail after insert on document_versions
  for each row when (has_thumbnail(new.mimetype)) execute function queue_thumbnail();

create function remove_object_reference() returns trigger language plpgsql as $$
begin
  update objects set reference_count = reference_count - 1 where object_key = old.object_key;
  delete from objects where object_key = old.object_key and reference_count = 0;
  if found then
    insert into objects_to_delete (object_key) values (old.object_key) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger document_versions_remove_reference after delete on document_versions
  for each row execute function remove_object_reference();

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

-- The parts may have been assembled into an object that is not recorded yet.
create function queue_upload_removal() returns trigger language plpgsql as $$
begin
  insert into objects_to_delete (object_key) values (old.object_key) on conflict do nothing;
  return null;
end $$;
create trigger document_uploads_queue_removal after delete on document_uploads
  for each row when (old.finished_at is null) execute function queue_upload_removal();

create function update_storage_usage() returns trigger language plpgsql as $$
begin
  update storage_usage set bytes = bytes + case tg_op when 'INSERT' then new.size else -old.size end;
  return null;
end $$;
create constraint trigger objects_update_storage after insert or delete on objects
  deferrable initially deferred for each row execute function update_storage_usage();
create constraint trigger uploads_reserve_storage after insert on document_uploads
  deferrable initially deferred for each row when (new.finished_at is null) execute function update_storage_usage();
create constraint trigger deleted_uploads_update_storage after delete on document_uploads
  deferrable initially deferred for each row when (old.finished_at is null) execute function update_storage_usage();
create constraint trigger saves_reserve_storage after insert on attachment_saves
  deferrable initially deferred for each row when (new.failure is null) execute function update_storage_usage();
create constraint trigger deleted_saves_update_storage after delete on attachment_saves
  deferrable initially deferred for each row when (old.failure is null) execute function update_storage_usage();

create function release_storage() returns trigger language plpgsql as $$
begin
  update storage_usage set bytes = bytes - old.size;
  return null;
end $$;
create constraint trigger finished_uploads_release_storage after update of finished_at on document_uploads
  deferrable initially deferred for each row when (old.finished_at is null and new.finished_at is not null)
  execute function release_storage();
create constraint trigger failed_saves_release_storage after update of failure on attachment_saves
  deferrable initially deferred for each row when (old.failure is null and new.failure is not null)
  execute function release_storage();

create function rank_document() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null or new.downloads = 0 then
    delete from document_popularity where document_id = new.id;
  else
    insert into document_popularity (document_id, scope, downloads)
    values (new.id, document_scope(new.visibility, new.project_id, new.uploaded_by), new.downloads)
    on conflict (document_id) do update set scope = excluded.scope, downloads = excluded.downloads;
  end if;
  return null;
end $$;
create trigger documents_rank_insert after insert on all_documents
  for each row when (new.downloads > 0) execute function rank_document();
create trigger documents_rank_update after update on all_documents
  for each row when (
    (old.visibility, old.project_id, old.uploaded_by, old.downloads, old.deleted_at is null)
    is distinct from (new.visibility, new.project_id, new.uploaded_by, new.downloads, new.deleted_at is null)
    and (old.downloads > 0 or new.downloads > 0)
  ) execute function rank_document();
