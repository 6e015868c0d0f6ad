-- Up Migration

-- Text is stored composed (NFC) from now on. Two names may become the same by this.
drop index rooms_by_name;
update rooms set name = normalize(name, NFC), version = version + 1 where name is not nfc normalized;
update meetings set title = normalize(title, NFC) where title is not nfc normalized;
update series set title = normalize(title, NFC) where title is not nfc normalized;

-- Names of rooms are unique by this key.
alter table rooms add column name_key text;
create function fill_room_key() returns trigger language plpgsql as $$
begin
  new.name_key := unique_key(new.name);
  return new;
end
$$;
create trigger rooms_key before insert or update of name on rooms for each row execute function fill_room_key();
update rooms set name = name;

-- Names that are the same by their key: the oldest room keeps its name, the others get a number. Nothing is lost, and an administrator can
-- tell from this table what was renamed.
create table renamed_rooms (
  room_id text not null,
  name_before text not null,
  name_after text not null,
  renamed_at timestamptz not null default now()
);
do $$
declare
  twin record;
  candidate text;
  number integer;
begin
  for twin in
    select id, name from (
      select id, name, row_number() over (partition by name_key order by created_at, id) as place
      from rooms where deleted_at is null
    ) as numbered where place > 1 order by id
  loop
    number := 2;
    loop
      candidate := twin.name || ' (' || number || ')';
      exit when not exists (select from rooms where deleted_at is null and name_key = unique_key(candidate));
      number := number + 1;
    end loop;
    update rooms set name = candidate, version = version + 1, updated_at = now() where id = twin.id;
    insert into renamed_rooms (room_id, name_before, name_after) values (twin.id, twin.name, candidate);
    raise warning 'Room % renamed: its name was the same as that of another', twin.id;
  end loop;
end
$$;
create unique index rooms_by_name on rooms (name_key) where deleted_at is null;
alter table rooms alter column name_key set not null;

-- Down Migration

drop table renamed_rooms;
