alter table conversations
  -- Who can mention everyone, those who are online, departments, and projects.
  add column mention_everyone text not null default 'everyone' check (mention_everyone in ('everyone', 'managers')),
  add column add_people text not null default 'managers' check (add_people in ('everyone', 'managers'));

-- Copies of the directories, by version, so that one statement can compare members with participants.
create table directory_users (
  user_id text primary key,
  -- Null if the user chose it, which grants nothing.
  department_id text,
  is_active boolean not null,
  version integer not null
) with (fillfactor = 80);
create index directory_users_department on directory_users (department_id) where department_id is not null;
create table directory_projects (
  project_id text primary key,
  version integer not null
);
create table project_members (
  project_id text not null references directory_projects (project_id) on delete cascade,
  user_id text not null,
  primary key (project_id, user_id)
);
create index project_members_user on project_members (user_id);

-- The active users of each department and project. Ids are unique across both.
create view group_members as
  select department_id as group_id, user_id from directory_users where is_active and department_id is not null
  union all
  select m.project_id, m.user_id from project_members m join directory_users u on u.user_id = m.user_id and u.is_active;

-- Departments and projects whose members are participants. The participants are derived in the background.
create table member_groups (
  conversation_id text not null references conversations (conversation_id) on delete cascade,
  type text not null check (type in ('department', 'project')),
  group_id text not null,
  -- Its members cannot leave.
  required boolean not null default false,
  added_at timestamptz not null default clock_timestamp(),
  primary key (conversation_id, group_id)
);
create index member_groups_group on member_groups (group_id);

-- Participants only because of a group. Someone who was also added or has joined stays when they leave the group.
alter table participants add column by_rule boolean not null default false;

-- Members of a group who left, or were removed: they return only if the group is added again.
create table left_members (
  conversation_id text not null references conversations (conversation_id) on delete cascade,
  user_id text not null,
  primary key (conversation_id, user_id)
);

-- Conversations whose participants may differ from their groups. Rows are only inserted and deleted, so that no writer waits for the
-- job; there is no foreign key, so that no writer waits for a lock of the conversation.
create table member_syncs (
  id bigint generated always as identity primary key,
  conversation_id text not null
);
create index member_syncs_conversation on member_syncs (conversation_id);
