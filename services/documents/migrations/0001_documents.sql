-- Up Migration

-- A document with the facts of its present file, so that lists and sums need no join.
create table documents (
  id text primary key,
  name text not null,
  description text not null,
  visibility text not null check (visibility in ('private', 'team', 'public')),
  tags text[] not null,
  uploaded_by text not null,
  project_id text,
  object_key text not null,
  extension text not null,
  mimetype text not null,
  size bigint not null check (size > 0),
  sha256 text not null,
  file_number integer not null default 1,
  downloads bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
-- The list's order, with the id to make it total.
create index documents_recent on documents (created_at desc, id desc);
create index documents_uploader on documents (uploaded_by);
create index documents_project on documents (project_id) where project_id is not null;

-- Every file a document ever had, the present one included; an object that no row names is an orphan.
create table document_versions (
  document_id text not null references documents (id) on delete cascade,
  number integer not null,
  object_key text not null unique,
  extension text not null,
  mimetype text not null,
  size bigint not null,
  sha256 text not null,
  uploaded_by text not null,
  created_at timestamptz not null default now(),
  primary key (document_id, number)
);

-- Who may read a document beyond its visibility.
create table document_grants (
  document_id text not null references documents (id) on delete cascade,
  user_id text not null,
  granted_by text not null,
  created_at timestamptz not null default now(),
  primary key (document_id, user_id)
);
create index document_grants_user on document_grants (user_id);

-- The people of a project as the projects service last told; a deleted project keeps its row, so that a late event cannot revive it.
create table projects (
  id text primary key,
  version integer not null,
  deleted boolean not null default false
);

create table project_people (
  project_id text not null references projects (id) on delete cascade,
  user_id text not null,
  primary key (project_id, user_id)
);
create index project_people_user on project_people (user_id);

-- Objects that must go: written in the transaction that gave them up, removed once the object store agrees.
create table objects_to_delete (
  object_key text primary key,
  attempts integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index objects_to_delete_due on objects_to_delete (not_before);

-- Down Migration

drop table objects_to_delete;
drop table project_people;
drop table projects;
drop table document_grants;
drop table document_versions;
drop table documents;
