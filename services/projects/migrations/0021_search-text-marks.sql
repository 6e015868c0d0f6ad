-- Up Migration

-- Searches keep the vowel signs and tone marks of scripts in which these make another word.
update projects set search = search_text(name || ' ' || description)
  where search <> search_text(name || ' ' || description);
update tasks set search = search_text(title || ' ' || description)
  where search is distinct from search_text(title || ' ' || description);
