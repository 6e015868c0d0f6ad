-- Up Migration

-- What is written in a file. It is read once, whichever documents and versions name its object, and goes with that. A search joins it
-- to the documents whose present file that object is, so that what is withdrawn, deleted or overwritten is found no more at once.
create table object_texts (
  object_key text collate "C" primary key references objects (object_key) on delete cascade,
  -- none: there is nothing to be read. failed: it could not be read, for a reason of the file's own.
  state text not null default 'pending' check (state in ('pending', 'done', 'none', 'failed')),
  reason text,
  is_cut boolean not null default false,
  text text,
  -- The same, letter for letter, as words are compared; with a space before it.
  folded text,
  words tsvector,
  -- How often something else than the file was at fault, as a store that was away.
  tries integer not null default 0,
  -- How many began to read it and were never heard of again.
  unfinished integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
-- The newest first: somebody looks at it now, and what was there before has waited already.
create index object_texts_pending on object_texts (created_at desc) where state = 'pending';
-- Every search would read a list of what waits to be put into the index; who writes here is a worker, which nobody waits for.
create index object_texts_words on object_texts using gin (words) with (fastupdate = off);

-- Whoever writes, also a pod of the release before: a version has an object, and that a text.
create function queue_text() returns trigger language plpgsql as $$
begin
  insert into object_texts (object_key) values (new.object_key) on conflict do nothing;
  return null;
end $$;
-- After `document_versions_refer`, by its name: that one makes the object.
create trigger document_versions_text after insert on document_versions
  for each row execute function queue_text();

insert into object_texts (object_key, created_at) select object_key, created_at from objects;

-- How letters are compared: without case and accents. `normalize` is of PostgreSQL itself, `unaccent` an extension that not everybody has.
create function fold_letters(given text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return lower(regexp_replace(normalize(given, nfkd), U&'[\0300-\036F]+', '', 'g'));
end $$;

-- What a document says of itself.
create function document_words(name text, description text, tags text[]) returns text
language plpgsql immutable strict parallel safe as $$
declare
  given text := name || E'\n' || description || E'\n' || array_to_string(tags, E'\n');
begin
  -- Most are of ASCII, and need no more.
  if octet_length(given) = char_length(given) then return lower(given); end if;
  return fold_letters(given);
end $$;

-- What kind of file it is: from its bytes, as its media type is; only where these leave it open, its name is believed.
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

-- For the index of what documents say of themselves, which the next file makes beside writers.
do $$
begin
  create extension if not exists pg_trgm;
exception
  when insufficient_privilege or undefined_file or undefined_object or feature_not_supported then
    raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;

-- Down Migration

drop function document_kind(text, text);
drop function document_words(text, text, text[]);
drop function fold_letters(text);
drop trigger document_versions_text on document_versions;
drop function queue_text();
drop table object_texts;
