-- Up Migration

-- Who may read a document because they are in a department or a project now. Beside the grants to people, so that a pod of the release
-- before, which takes every grant of those for a person's, neither shows nor opens what it knows nothing of.
create table document_group_grants (
  document_id text not null references all_documents (id) on delete cascade,
  department_id text,
  project_id text,
  granted_by text not null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(department_id, project_id) = 1),
  unique nulls not distinct (document_id, department_id, project_id)
);
create index document_group_grants_department on document_group_grants (department_id, document_id) where department_id is not null;
create index document_group_grants_project on document_group_grants (project_id, document_id) where project_id is not null;

-- Every share there is, each to one of the three.
create view document_shares as
  select document_id, user_id, null::text as department_id, null::text as project_id, granted_by, created_at from document_grants
  union all
  select document_id, null::text, department_id, project_id, granted_by, created_at from document_group_grants;

-- Links that were handed out, each with the version of the file that it led to.
create table document_downloads (
  id bigint generated always as identity primary key,
  document_id text not null references all_documents (id) on delete cascade,
  user_id text not null,
  file_number integer not null,
  created_at timestamptz not null default now()
);
create index document_downloads_of on document_downloads (document_id, id desc);
create index document_downloads_age on document_downloads (created_at);

-- Down Migration

drop table document_downloads;
drop view document_shares;
drop table document_group_grants;
