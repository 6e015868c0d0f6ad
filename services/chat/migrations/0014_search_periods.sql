-- The bodies are parsed now, so that no search path matters when an index is built.

-- Half-years since 2000.
create function search_period(sent_at timestamptz) returns int language sql immutable strict parallel safe
return extract(year from sent_at at time zone 'UTC')::int * 2 - 4000
  + (extract(quarter from sent_at at time zone 'UTC') > 2)::int;

-- Each term after the number of its conversation and its half-year, so that a search reads only what its user can see, and
-- only the newest matches if there are many.
create function search_keys(number bigint, sent_at timestamptz, search text) returns tsvector
language sql immutable strict parallel safe
return (
  select array_to_tsvector(string_to_array(
    prefix || replace(replace(btrim(search, ' '), ' | ', ' '), ' ', ' ' || prefix), ' '
  ))
  from (select number::text || '.' || search_period(sent_at)::text || '/' as prefix) prefixes
);
drop index search_entries_keys;
create index search_entries_keys on search_entries using gin (search_keys(number, sent_at, search)) with (fastupdate = off);
drop function search_keys(bigint, text);
