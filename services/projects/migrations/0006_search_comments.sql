-- What searches compare (`search_text`).
alter table task_comments add column search text;

create function fill_comment_search() returns trigger language plpgsql as $$
begin
  new.search := search_text(new.comment);
  return new;
end
$$;
create trigger task_comments_search_filled before insert or update of comment on task_comments
  for each row execute function fill_comment_search();
