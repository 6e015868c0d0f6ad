-- Up Migration

-- What the page of a project lists.
create index meetings_by_project on meetings (project_id, starts_at, id) where project_id is not null;

-- Down Migration

drop index meetings_by_project;
