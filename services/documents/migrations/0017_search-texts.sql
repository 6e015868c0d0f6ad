-- Up Migration

-- Text is stored composed (NFC) from now on.
update all_documents set
  name = normalize(name, NFC),
  description = normalize(description, NFC),
  tags = array(
    select tag from (
      select normalize(given.tag, NFC) as tag, min(given.n) as n from unnest(tags) with ordinality as given (tag, n) group by 1
    ) as composed order by n
  ),
  version = version + 1
where name is not nfc normalized or description is not nfc normalized or array_to_string(tags, E'\n') is not nfc normalized;

-- What searches compare, in a column that a trigger fills: an index on an expression would fold each row again that it proposes.
alter table all_documents add column search text;
create function fill_document_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.name || ' ' || new.description || ' ' || array_to_string(new.tags, ' '));
  return new;
end
$$;
create trigger documents_search before insert or update of name, description, tags on all_documents
  for each row execute function fill_document_search();
update all_documents set search = search_text(name || ' ' || description || ' ' || array_to_string(tags, ' '));
alter table all_documents alter column search set not null;
create or replace view documents as
  select id, name, description, visibility, tags, uploaded_by, project_id, object_key, extension, mimetype, size, sha256,
         file_number, downloads, created_at, updated_at, version, search
  from all_documents where deleted_at is null;

drop index if exists documents_by_words;
drop index documents_by_short_terms;
drop function document_words(text, text, text[]);
drop function fold_letters(text);

-- The words of files were folded by other rules: these texts are read again, and found by their former words until then.
update object_texts set state = 'pending', unfinished = 0, not_before = now() where state = 'done';
