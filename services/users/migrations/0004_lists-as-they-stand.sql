-- Up Migration

-- Lists are read as they stand, and nobody remembers any. Pods of the release before still ask for this number: to them it has always
-- moved, so that they find every list anew. The view goes in the release after the next one.
lock table users in share row exclusive mode;
drop table user_list_state;
create view user_list_state as
select true as one, (extract(epoch from clock_timestamp()) * 1000000)::bigint as generation;

-- Without the row that put those who count in a line, all take the rows of counts in one order.
create or replace function count_moved_users() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into user_counts as kept
  select coalesce(department_id, ''), role, status, sign * count(*) from moved where deleted_at is null group by 1, 2, 3
  order by 1, 2, 3
  on conflict (department_id, role, status) do update set n = kept.n + excluded.n;
  insert into user_joins as kept
  select date_trunc('month', join_date at time zone 'UTC'), sign * count(*) from moved where deleted_at is null group by 1
  order by 1
  on conflict (month) do update set n = kept.n + excluded.n;
  return null;
end
$$;

create or replace function count_changed_user() returns trigger language plpgsql as $$
begin
  insert into user_counts as kept
  select coalesce(department_id, ''), role, status, sum(one)
  from (select old.*, -1 as one union all select new.*, 1) as moved
  where deleted_at is null group by 1, 2, 3 having sum(one) <> 0
  order by 1, 2, 3
  on conflict (department_id, role, status) do update set n = kept.n + excluded.n;
  insert into user_joins as kept
  select date_trunc('month', join_date at time zone 'UTC'), sum(one)
  from (select old.*, -1 as one union all select new.*, 1) as moved
  where deleted_at is null group by 1 having sum(one) <> 0
  order by 1
  on conflict (month) do update set n = kept.n + excluded.n;
  return null;
end
$$;
drop function count_user(users, integer);
