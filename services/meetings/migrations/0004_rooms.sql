-- Up Migration

create table rooms (
  id text primary key,
  name text not null,
  size integer not null check (size > 0),
  -- Whose people may book it; empty for everyone.
  department_ids text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Meetings that have it keep its name; nobody books it any more.
  deleted_at timestamptz,
  version integer not null default 1
);
create unique index rooms_by_name on rooms (lower(name)) where deleted_at is null;

-- Where a meeting takes place, and where the occurrences made later will.
alter table series add column room_id text references rooms (id);
alter table meetings add column room_id text references rooms (id);
create index meetings_of_room on meetings (room_id, ends_at) where room_id is not null;

-- Whoever books a room holds its row and looks (src/rooms). This is for whoever does not, such as a pod of before that moves a meeting:
-- judged at the commit, as a series moves through itself. A database that does not offer the extension goes without.
do $$
begin
  create extension if not exists btree_gist;
  alter table meetings add constraint meetings_room_once
    exclude using gist (room_id with =, tstzrange(starts_at, ends_at) with &&) where (room_id is not null)
    deferrable initially deferred;
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'btree_gist is not available: %', sqlerrm;
end
$$;

-- Down Migration

alter table meetings drop column room_id;
alter table series drop column room_id;
drop table rooms;
