-- Up Migration

-- Searches keep the vowel signs and tone marks of scripts in which these make another word.
update all_documents set search = search_text(name || ' ' || description || ' ' || array_to_string(tags, ' '))
  where search <> search_text(name || ' ' || description || ' ' || array_to_string(tags, ' '));

-- The words of files are folded by other rules, and found by beginnings of two letters: these texts are read again.
update object_texts set state = 'pending', unfinished = 0, not_before = now() where state = 'done';
