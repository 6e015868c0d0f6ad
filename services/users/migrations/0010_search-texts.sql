-- Up Migration

-- Text is stored composed (NFC) from now on; the directory follows the version.
update users set first_name = normalize(first_name, NFC), last_name = normalize(last_name, NFC), version = version + 1
  where first_name is not nfc normalized or last_name is not nfc normalized;
-- Two names may become the same by this.
drop index departments_name;
update departments set name = normalize(name, NFC), version = version + 1 where name is not nfc normalized;

-- What searches compare. A trigger fills it, as a generated column cannot call a function that reads a table.
alter table users alter column search drop expression;
create function fill_user_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.first_name || ' ' || new.last_name || ' ' || new.email);
  return new;
end
$$;
create trigger users_search before insert or update of first_name, last_name, email on users
  for each row execute function fill_user_search();
update users set search = search_text(first_name || ' ' || last_name || ' ' || email);

alter table departments add column search text, add column name_key text;
create function fill_department_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.name);
  new.name_key := unique_key(new.name);
  return new;
end
$$;
create trigger departments_search before insert or update of name on departments
  for each row execute function fill_department_search();
update departments set name = name;

-- Names that are the same by their key: the oldest keeps its name, the others get a number. Nothing is lost, and an administrator can tell
-- from this table what was renamed.
create table renamed_departments (
  department_id text not null,
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
      select id, name, row_number() over (partition by name_key order by created_at, id) as place from departments
    ) as numbered where place > 1 order by id
  loop
    number := 2;
    loop
      candidate := twin.name || ' (' || number || ')';
      exit when not exists (select from departments where name_key = unique_key(candidate));
      number := number + 1;
    end loop;
    update departments set name = candidate, version = version + 1, updated_at = now() where id = twin.id;
    insert into renamed_departments (department_id, name_before, name_after) values (twin.id, twin.name, candidate);
    raise warning 'Department % renamed: its name was the same as that of another', twin.id;
  end loop;
end
$$;
create unique index departments_name on departments (name_key);
alter table departments alter column search set not null, alter column name_key set not null;

-- Down Migration

drop table renamed_departments;
