-- Up Migration

-- What is searched of a task, in lower case, as people have it: to make it anew for each row that an index proposes took longer than all
-- else. A trigger fills it and no generated column, which would write a million rows anew while nobody may even read one.
alter table tasks add column search text;

create function keep_task_search() returns trigger language plpgsql as $$
begin
  new.search := lower(new.title || E'\n' || new.description);
  return new;
end
$$;
create trigger tasks_searched before insert or update of title, description on tasks
  for each row execute function keep_task_search();

-- For the rows of before: a few at a time, none that somebody is writing.
create procedure fill_task_search() language plpgsql as $$
declare
  last text := '';
begin
  loop
    with batch as (
      select id from tasks where search is null and id > last order by id limit 500 for update skip locked
    ), filled as (
      update tasks t set search = lower(t.title || E'\n' || t.description) from batch where t.id = batch.id returning t.id
    )
    select max(id) into last from filled;
    commit;
    if last is null then
      exit when not exists (select from tasks where search is null);
      perform pg_sleep(0.1);
      last := '';
    end if;
  end loop;
end
$$;
