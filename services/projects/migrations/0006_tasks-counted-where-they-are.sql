-- Up Migration

-- Of tasks only those of the whole workspace are counted beside the rows, by status and priority; those of a project or a person are few
-- enough to be counted in an index. The rows are in eight parts as before, so that writers seldom wait for one another.
-- Nobody writes a task meanwhile; who reads holds nothing that this waits for but `task_counts`.
lock table tasks in share row exclusive mode;
create table task_totals (
  status text not null,
  priority text not null,
  part integer not null,
  n integer not null,
  primary key (status, priority, part)
) with (fillfactor = 50);
insert into task_totals select status, priority, part, n from task_counts where project_id = '' and assigned_to = '';

create or replace function count_tasks() returns trigger language plpgsql as $$
declare
  changes task_totals[];
begin
  if tg_op = 'INSERT' then
    changes := array(select row(status, priority, 0, count(*))::task_totals from after group by status, priority);
  elsif tg_op = 'DELETE' then
    changes := array(select row(status, priority, 0, -count(*))::task_totals from before group by status, priority);
  else
    changes := array(
      select row(status, priority, 0, sum(n))::task_totals
      from (select status, priority, -1 as n from before union all select status, priority, 1 from after) as moved
      group by status, priority having sum(n) <> 0
    );
  end if;
  -- Every writer takes the rows in one order, so that none waits for another in a circle.
  insert into task_totals as kept (status, priority, part, n)
  select status, priority, pg_backend_pid() % 8, n from unnest(changes) order by status, priority
  on conflict (status, priority, part) do update set n = kept.n + excluded.n;
  return null;
end
$$;

-- What pods of the release before ask for. The view goes in the release after the next one, as do those of the next two files.
drop table task_counts;
create view task_counts as
select '' as project_id, '' as assigned_to, status, priority, part, n from task_totals
union all
select project_id, '', status, priority, 0, count(*)::integer from tasks group by project_id, status, priority
union all
select '', assigned_to, status, priority, 0, count(*)::integer from tasks where assigned_to is not null group by assigned_to, status, priority;
