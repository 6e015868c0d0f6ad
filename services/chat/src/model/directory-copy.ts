import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type CopiedUser = { userId: string; departmentId: string | null; isActive: boolean; version: number };
export type CopiedProject = { projectId: string; memberIds: string[]; version: number };

type StoredUser = { user_id: string; department_id: string | null; is_active: boolean; version: number };

/** A user who is in a group now, or is no longer. */
export type MemberChange = { groupId: string; userId: string };

/** Saves the users that are newer than the copy, and returns the changes of groups. Call it in one transaction at a time. */
export async function saveUsers(tx: Queryable, users: readonly CopiedUser[]): Promise<MemberChange[]> {
  const stored = await findUsers(tx, users);
  const changed = users.filter(({ userId, version }) => (stored.get(userId)?.version ?? -1) < version);
  if (changed.length === 0) return [];
  await upsertUsers(tx, changed);
  const moved = changed.filter(({ userId, departmentId, isActive }) => {
    const before = stored.get(userId);
    return before?.department_id !== departmentId || before.is_active !== isActive;
  });
  const departmentChanges = moved.flatMap(({ userId, departmentId }) =>
    [...new Set([departmentId, stored.get(userId)?.department_id ?? null])]
      .filter((groupId) => groupId !== null)
      .map((groupId) => ({ groupId, userId })),
  );
  const activated = moved.filter(({ userId, isActive }) => (stored.get(userId)?.is_active ?? false) !== isActive);
  return [...departmentChanges, ...(await listProjectsOf(tx, activated))];
}

async function findUsers(tx: Queryable, users: readonly CopiedUser[]): Promise<ReadonlyMap<string, StoredUser>> {
  const { rows } = await tx.query<StoredUser>('select * from directory_users where user_id = any($1)', [
    users.map(({ userId }) => userId),
  ]);
  return new Map(rows.map((row) => [row.user_id, row]));
}

async function upsertUsers(tx: Queryable, users: readonly CopiedUser[]): Promise<void> {
  await tx.query(
    `insert into directory_users (user_id, department_id, is_active, version)
     select * from unnest($1::text[], $2::text[], $3::boolean[], $4::integer[])
     on conflict (user_id) do update
     set department_id = excluded.department_id, is_active = excluded.is_active, version = excluded.version`,
    [
      users.map(({ userId }) => userId),
      users.map(({ departmentId }) => departmentId),
      users.map(({ isActive }) => isActive),
      users.map(({ version }) => version),
    ],
  );
}

async function listProjectsOf(tx: Queryable, users: readonly CopiedUser[]): Promise<MemberChange[]> {
  if (users.length === 0) return [];
  const { rows } = await tx.query<MemberChange>(
    'select project_id as "groupId", user_id as "userId" from project_members where user_id = any($1)',
    [users.map(({ userId }) => userId)],
  );
  return rows;
}

/** Saves a project that is newer than the copy, and returns the changes of its members. */
export async function saveProject(
  tx: Queryable,
  { projectId, memberIds, version }: CopiedProject,
): Promise<MemberChange[]> {
  const { rowCount } = await tx.query(
    `insert into directory_projects as p (project_id, version) values ($1, $2)
     on conflict (project_id) do update set version = excluded.version where p.version < excluded.version`,
    [projectId, version],
  );
  if (rowCount === 0) return [];
  const { rows: removed } = await tx.query<{ user_id: string }>(
    'delete from project_members where project_id = $1 and user_id <> all($2) returning user_id',
    [projectId, memberIds],
  );
  const { rows: added } = await tx.query<{ user_id: string }>(
    `insert into project_members (project_id, user_id) select $1, unnest($2::text[]) order by 2 on conflict do nothing
     returning user_id`,
    [projectId, memberIds],
  );
  return [...removed, ...added].map(({ user_id: userId }) => ({ groupId: projectId, userId }));
}

/** Returns those whose copy is older. */
export async function filterNewerProjects(db: Queryable, projects: readonly CopiedProject[]): Promise<CopiedProject[]> {
  const { rows } = await db.query<{ project_id: string; version: number }>(
    'select project_id, version from directory_projects where project_id = any($1)',
    [projects.map(({ projectId }) => projectId)],
  );
  const versions = new Map(rows.map(({ project_id, version }) => [project_id, version]));
  return projects.filter(({ projectId, version }) => (versions.get(projectId) ?? -1) < version);
}
