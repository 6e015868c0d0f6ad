import type { Queryable } from '@atrium/service-kit/postgres/postgres';

export type ProjectStanding = { deleted: boolean; belongs: boolean };

/** Whether the project is known, still there, and whether the person belongs to it. */
export async function findProjectStanding(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<ProjectStanding | undefined> {
  const { rows } = await db.query<ProjectStanding>(
    `select p.deleted, exists (
       select from project_people m where m.project_id = p.id and m.user_id = $2
     ) as belongs
     from projects p where p.id = $1`,
    [projectId, userId],
  );
  return rows[0];
}

/** Those of these projects that are known and not deleted. */
export async function findPresentProjects(db: Queryable, projectIds: readonly string[]): Promise<string[]> {
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

export type PeopleChange = { addedIds: string[]; removedIds: string[] };

const NOBODY: PeopleChange = { addedIds: [], removedIds: [] };

/** Takes over a project's people unless a later word is known; answers who came and who left. */
export async function putProject(
  tx: Queryable,
  project: { id: string; version: number; people: readonly string[] },
): Promise<PeopleChange> {
  const { rowCount } = await tx.query(
    `insert into projects (id, version) values ($1, $2)
     on conflict (id) do update set version = excluded.version
     where projects.version < excluded.version and not projects.deleted`,
    [project.id, project.version],
  );
  if (rowCount === 0) return NOBODY;
  const removedIds = await removePeople(tx, project.id, project.people);
  const { rows } = await tx.query<{ user_id: string }>(
    `insert into project_people (project_id, user_id) select $1, unnest($2::text[])
     on conflict do nothing returning user_id`,
    [project.id, [...new Set(project.people)]],
  );
  return { addedIds: rows.map(({ user_id }) => user_id), removedIds };
}

/** Marks a project as gone for good; answers who was in it. */
export async function markProjectDeleted(tx: Queryable, projectId: string): Promise<PeopleChange> {
  await tx.query(
    `insert into projects (id, version, deleted) values ($1, 0, true)
     on conflict (id) do update set deleted = true`,
    [projectId],
  );
  return { addedIds: [], removedIds: await removePeople(tx, projectId, []) };
}

/** All but those who stay. */
async function removePeople(tx: Queryable, projectId: string, staying: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ user_id: string }>(
    'delete from project_people where project_id = $1 and user_id <> all($2::text[]) returning user_id',
    [projectId, [...staying]],
  );
  return rows.map(({ user_id }) => user_id);
}
