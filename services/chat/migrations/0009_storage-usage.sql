-- Up Migration

-- Bytes of all objects, and of uploads in progress: the quota of the workspace is checked without a sum. The counter moves at the end
-- of each transaction (deferred triggers), so that its row is never held while another lock is waited for.
create table storage_usage (
  only_row boolean primary key default true check (only_row),
  bytes bigint not null
);
lock table objects in share row exclusive mode;
insert into storage_usage (bytes) select coalesce(sum(size), 0) from objects;

create function count_storage() returns trigger language plpgsql as $$
begin
  update storage_usage set bytes = bytes + case tg_op when 'INSERT' then new.size else -old.size end;
  return null;
end $$;
create constraint trigger objects_count_storage after insert or delete on objects
  deferrable initially deferred for each row execute function count_storage();

-- A deletion holds its conversation before the objects of its files, in the order in which a message with files takes them: by its name
-- this runs after `a_message_changed`, which locks the conversation.
drop trigger a_deletion_lets_files_go on messages;
create trigger b_deletion_releases_files after update on messages for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function let_files_of_message_go();

-- Down Migration

drop trigger b_deletion_releases_files on messages;
create trigger a_deletion_lets_files_go after update on messages for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function let_files_of_message_go();
drop trigger objects_count_storage on objects;
drop function count_storage();
drop table storage_usage;
