-- Up Migration

-- Searches keep the vowel signs and tone marks of scripts in which these make another word.
update users set search = search_text(first_name || ' ' || last_name || ' ' || email)
  where search <> search_text(first_name || ' ' || last_name || ' ' || email);
update departments set search = search_text(name) where search <> search_text(name);
