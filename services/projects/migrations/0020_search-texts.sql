-- Up Migration

-- Text is stored composed (NFC) from now on.
update projects set name = normalize(name, NFC), description = normalize(description, NFC), version = version + 1
  where name is not nfc normalized or description is not nfc normalized;
update tasks set title = normalize(title, NFC), description = normalize(description, NFC), version = version + 1
  where title is not nfc normalized or description is not nfc normalized;

-- What searches compare: whoever writes a row has it filled.
create or replace function keep_task_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.title || ' ' || new.description);
  return new;
end
$$;
update tasks set search = search_text(title || ' ' || description)
  where search is distinct from search_text(title || ' ' || description);

alter table projects add column search text;
create function fill_project_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.name || ' ' || new.description);
  return new;
end
$$;
create trigger projects_search_filled before insert or update of name, description on projects
  for each row execute function fill_project_search();
update projects set search = search_text(name || ' ' || description);
alter table projects alter column search set not null;

drop index if exists projects_search;
do $$
begin
  create index projects_search on projects using gin (search gin_trgm_ops);
exception
  when undefined_object then raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;

-- Down Migration

drop trigger projects_search_filled on projects;
drop function fill_project_search();
alter table projects drop column search;
