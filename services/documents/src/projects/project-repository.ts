import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type ProjectMembership = { deleted: boolean; isMember: boolean };

export async function findProjectMembership(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<ProjectMembership | undefined> {
  const { rows } = await db.query<ProjectMembership>(
    `select p.deleted, exists (
       select from project_people m where m.project_id = p.id and m.user_id = $2
     ) as "isMember"
     from projects p where p.id = $1`,
    [projectId, userId],
  );
  return rows[0];
}

export async function filterExistingProjects(db: Queryable, projectIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>('select id from projects where id = any($1) and not deleted', [
    projectIds,
  ]);
  return rows.map((row) => row.id);
}

export async function listPeopleOfProjects(db: Queryable, projectIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    'select distinct user_id from project_people where project_id = any($1) order by user_id',
    [projectIds],
  );
  return rows.map((row) => row.user_id);
}

export type MembershipChange = { addedIds: string[]; removedIds: string[] };

const NO_CHANGE: MembershipChange = { addedIds: [], removedIds: [] };

/** Replaces the project's members unless a later version is known. Returns who joined and who left. */
export async function upsertProject(
  tx: Queryable,
  project: { id: string; version: number; people: readonly string[] },
): Promise<MembershipChange> {
  const { rowCount } = await tx.query(
    `insert into projects (id, version) values ($1, $2)
     on conflict (id) do update set version = excluded.version
     where projects.version < excluded.version and not projects.deleted`,
    [project.id, project.version],
  );
  if (rowCount === 0) return NO_CHANGE;
  const removedIds = await removePeople(tx, project.id, project.people);
  const { rows } = await tx.query<{ user_id: string }>(
    `insert into project_people (project_id, user_id) select $1, unnest($2::text[])
     on conflict do nothing returning user_id`,
    [project.id, [...new Set(project.people)]],
  );
  return { addedIds: rows.map(({ user_id }) => user_id), removedIds };
}

/** Returns the former members. */
export async function markProjectDeleted(tx: Queryable, projectId: string): Promise<MembershipChange> {
  await tx.query(
    `insert into projects (id, version, deleted) values ($1, 0, true)
     on conflict (id) do update set deleted = true`,
    [projectId],
  );
  return { addedIds: [], removedIds: await removePeople(tx, projectId, []) };
}

async function removePeople(tx: Queryable, projectId: string, remaining: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    'delete from project_people where project_id = $1 and user_id <> all($2::text[]) returning user_id',
    [projectId, [...remaining]],
  );
  return rows.map(({ user_id }) => user_id);
}
