-- Up Migration

-- Bytes of all objects, and of uploads in progress: the quota of the workspace is checked without a sum. The counter moves at the end
-- of each transaction (deferred triggers), so that its row is never held while another lock is waited for.
create table storage_usage (
  only_row boolean primary key default true check (only_row),
  bytes bigint not null
);
lock table objects in share row exclusive mode;
lock table document_uploads in share row exclusive mode;
insert into storage_usage (bytes)
select (select coalesce(sum(size), 0) from objects) + (select coalesce(sum(size), 0) from uploads_under_way);

create function count_storage() returns trigger language plpgsql as $$
begin
  update storage_usage set bytes = bytes + case tg_op when 'INSERT' then new.size else -old.size end;
  return null;
end $$;
create constraint trigger objects_count_storage after insert or delete on objects
  deferrable initially deferred for each row execute function count_storage();
create constraint trigger uploads_count_storage after insert on document_uploads
  deferrable initially deferred for each row when (new.finished_at is null) execute function count_storage();
create constraint trigger unfinished_uploads_count_storage after delete on document_uploads
  deferrable initially deferred for each row when (old.finished_at is null) execute function count_storage();

create function count_finished_upload() returns trigger language plpgsql as $$
begin
  update storage_usage set bytes = bytes - old.size;
  return null;
end $$;
create constraint trigger finished_uploads_count_storage after update of finished_at on document_uploads
  deferrable initially deferred for each row when (old.finished_at is null and new.finished_at is not null)
  execute function count_finished_upload();

-- Down Migration

drop trigger finished_uploads_count_storage on document_uploads;
drop function count_finished_upload();
drop trigger unfinished_uploads_count_storage on document_uploads;
drop trigger uploads_count_storage on document_uploads;
drop trigger objects_count_storage on objects;
drop function count_storage();
drop table storage_usage;
