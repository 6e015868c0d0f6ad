-- What searches compare (`search_text`): the title, and the texts of a meeting and its minutes.
alter table meetings add column search text;
alter table decisions add column search text;

create function fill_meeting_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(concat_ws(' ', new.title, new.description, new.agenda, new.notes, new.summary));
  return new;
end
$$;
create trigger meetings_fill_search before insert or update of title, description, agenda, notes, summary on meetings
  for each row execute function fill_meeting_search();

create function fill_decision_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.text);
  return new;
end
$$;
create trigger decisions_fill_search before insert or update of text on decisions
  for each row execute function fill_decision_search();

do $$
begin
  create extension if not exists pg_trgm;
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;
