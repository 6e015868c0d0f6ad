-- Up Migration

-- Files of messages that become documents: room is reserved here before the bytes are copied, and a failure is kept for its user.
create table attachment_saves (
  document_id text primary key,
  owner_id text not null,
  object_key text collate "C" not null,
  size bigint not null,
  -- Why there is no document.
  failure text,
  created_at timestamptz not null default now()
);
create index attachment_saves_of on attachment_saves (owner_id) include (size) where failure is null;

create or replace view uploads_under_way as
  select object_key, uploaded_by as owner_id, size from document_uploads where finished_at is null
  union all
  select object_key, owner_id, size from attachment_saves where failure is null;

create constraint trigger saves_count_storage after insert on attachment_saves
  deferrable initially deferred for each row when (new.failure is null) execute function count_storage();
create constraint trigger saved_count_storage after delete on attachment_saves
  deferrable initially deferred for each row when (old.failure is null) execute function count_storage();
create constraint trigger failed_saves_count_storage after update of failure on attachment_saves
  deferrable initially deferred for each row when (old.failure is null and new.failure is not null)
  execute function count_finished_upload();

-- Down Migration

create or replace view uploads_under_way as
  select object_key, uploaded_by as owner_id, size from document_uploads where finished_at is null;
drop table attachment_saves;
