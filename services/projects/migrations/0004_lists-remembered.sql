-- Up Migration

-- Moves with whatever a list of tasks could show in its order, its filters or its search: what was found out about a list is true for
-- as long as the sum stays. In eight parts, so that writers seldom wait for one another.
create table task_list_state (part integer primary key, generation bigint not null) with (fillfactor = 50);
insert into task_list_state select part, 0 from generate_series(0, 7) as part;

create function note_task_change() returns trigger language plpgsql as $$
begin
  update task_list_state set generation = generation + 1 where part = pg_backend_pid() % 8;
  return null;
end
$$;
create trigger a_tasks_added after insert on tasks for each statement execute function note_task_change();
create trigger a_tasks_removed after delete on tasks for each statement execute function note_task_change();
create trigger a_tasks_changed after update on tasks for each row
  when ((old.project_id, old.assigned_to, old.status, old.priority, old.due_date, old.title, old.description)
    is distinct from (new.project_id, new.assigned_to, new.status, new.priority, new.due_date, new.title, new.description))
  execute function note_task_change();

-- How many open tasks are due on each day, in UTC: of what is overdue, only today's need be counted.
create table task_due_counts (
  day date not null,
  part integer not null,
  n integer not null,
  primary key (day, part)
) with (fillfactor = 70);

create function count_due_tasks(days date[], by integer[]) returns void language sql as $$
  insert into task_due_counts as kept (day, part, n)
  select day, pg_backend_pid() % 8, sum(one) from unnest(days, by) as moved (day, one)
  group by day having sum(one) <> 0
  -- Every writer takes the rows in one order, so that none waits for another in a circle.
  order by day
  on conflict (day, part) do update set n = kept.n + excluded.n
$$;

create function open_task_day(status text, due_date timestamptz) returns date language sql immutable as $$
  select case when status <> 'done' then (due_date at time zone 'UTC')::date end
$$;

create function count_added_due_tasks() returns trigger language plpgsql as $$
begin
  perform count_due_tasks(array_agg(open_task_day(status, due_date)), array_agg(1)) from after where open_task_day(status, due_date) is not null;
  return null;
end
$$;
create function count_removed_due_tasks() returns trigger language plpgsql as $$
begin
  perform count_due_tasks(array_agg(open_task_day(status, due_date)), array_agg(-1)) from before
  where open_task_day(status, due_date) is not null;
  return null;
end
$$;
create function count_moved_due_tasks() returns trigger language plpgsql as $$
begin
  perform count_due_tasks(array_agg(day), array_agg(one))
  from (
    select open_task_day(status, due_date) as day, -1 as one from before union all select open_task_day(status, due_date), 1 from after
  ) as moved where day is not null;
  return null;
end
$$;
create trigger tasks_due_added after insert on tasks referencing new table as after
  for each statement execute function count_added_due_tasks();
create trigger tasks_due_changed after update on tasks referencing old table as before new table as after
  for each statement execute function count_moved_due_tasks();
create trigger tasks_due_removed after delete on tasks referencing old table as before
  for each statement execute function count_removed_due_tasks();

insert into task_due_counts
select open_task_day(status, due_date), 0, count(*) from tasks t where open_task_day(status, due_date) is not null group by 1;

-- Down Migration

drop trigger tasks_due_removed on tasks;
drop trigger tasks_due_changed on tasks;
drop trigger tasks_due_added on tasks;
drop function count_moved_due_tasks();
drop function count_removed_due_tasks();
drop function count_added_due_tasks();
drop function open_task_day(text, timestamptz);
drop function count_due_tasks(date[], integer[]);
drop table task_due_counts;
drop trigger a_tasks_changed on tasks;
drop trigger a_tasks_removed on tasks;
drop trigger a_tasks_added on tasks;
drop function note_task_change();
drop table task_list_state;
