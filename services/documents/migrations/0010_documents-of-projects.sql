-- no transaction
-- Up Migration

-- What somebody uploaded to a project that is not theirs (any more).
drop index concurrently if exists documents_of_projects;
create index concurrently documents_of_projects on all_documents (uploaded_by, project_id)
  where visibility = 'team' and project_id is not null and deleted_at is null;

-- Down Migration

drop index documents_of_projects;
