-- Up Migration

-- Made while there is nothing in it, so that nobody waits, and filled with the column. Without the extension a search reads every row.
do $$
begin
  create index tasks_by_words on tasks using gin (search gin_trgm_ops) where search is not null;
exception
  when undefined_object then
    raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;
