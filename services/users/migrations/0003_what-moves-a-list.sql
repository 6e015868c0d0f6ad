-- Up Migration

-- A statement that adds or removes nobody, as `on conflict do nothing` may, locks and counts nothing: whoever locks a person first
-- and the state of the lists afterwards never meets somebody who holds them the other way round.
create or replace function count_moved_users() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  if not exists (select from moved) then
    return null;
  end if;
  update user_list_state set generation = generation + 1;
  insert into user_counts as kept
  select coalesce(department_id, ''), role, status, sign * count(*) from moved where deleted_at is null group by 1, 2, 3
  on conflict (department_id, role, status) do update set n = kept.n + excluded.n;
  insert into user_joins as kept
  select date_trunc('month', join_date at time zone 'UTC'), sign * count(*) from moved where deleted_at is null group by 1
  on conflict (month) do update set n = kept.n + excluded.n;
  return null;
end
$$;

-- What is searched stays the same when a name is only divided differently, but the order follows its parts.
drop trigger users_changed on users;
create trigger users_changed after update on users for each row
  when ((old.department_id, old.role, old.status, old.join_date, old.deleted_at, old.search, old.first_name, old.last_name)
    is distinct from
    (new.department_id, new.role, new.status, new.join_date, new.deleted_at, new.search, new.first_name, new.last_name))
  execute function count_changed_user();

-- Down Migration

drop trigger users_changed on users;
create trigger users_changed after update on users for each row
  when ((old.department_id, old.role, old.status, old.join_date, old.deleted_at, old.search)
    is distinct from (new.department_id, new.role, new.status, new.join_date, new.deleted_at, new.search))
  execute function count_changed_user();

create or replace function count_moved_users() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  update user_list_state set generation = generation + 1;
  insert into user_counts as kept
  select coalesce(department_id, ''), role, status, sign * count(*) from moved where deleted_at is null group by 1, 2, 3
  on conflict (department_id, role, status) do update set n = kept.n + excluded.n;
  insert into user_joins as kept
  select date_trunc('month', join_date at time zone 'UTC'), sign * count(*) from moved where deleted_at is null group by 1
  on conflict (month) do update set n = kept.n + excluded.n;
  return null;
end
$$;
