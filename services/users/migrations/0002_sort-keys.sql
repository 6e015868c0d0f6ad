-- Names are sorted in their folded form by code points, an order that browsers can compute as well (`sortKey`).
alter table users
  add column first_name_sort_key text collate "C",
  add column last_name_sort_key text collate "C";

create or replace function fill_user_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.first_name || ' ' || new.last_name || ' ' || new.email);
  new.first_name_sort_key := search_text(new.first_name);
  new.last_name_sort_key := search_text(new.last_name);
  return new;
end
$$;
