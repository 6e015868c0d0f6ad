-- Up Migration

-- As task_list_state, for lists of projects.
create table project_list_state (part integer primary key, generation bigint not null) with (fillfactor = 50);
insert into project_list_state select part, 0 from generate_series(0, 7) as part;

create function note_project_change() returns trigger language plpgsql as $$
begin
  update project_list_state set generation = generation + 1 where part = pg_backend_pid() % 8;
  return null;
end
$$;
create trigger a_projects_added after insert on projects for each statement execute function note_project_change();
create trigger a_projects_removed after delete on projects for each statement execute function note_project_change();
create trigger a_projects_changed after update on projects for each row
  when ((old.status, old.priority, old.updated_at, old.name, old.description)
    is distinct from (new.status, new.priority, new.updated_at, new.name, new.description))
  execute function note_project_change();

-- Down Migration

drop trigger a_projects_changed on projects;
drop trigger a_projects_removed on projects;
drop trigger a_projects_added on projects;
drop function note_project_change();
drop table project_list_state;
