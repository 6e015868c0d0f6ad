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

/** Takes over a project's people unless a later word is known. */
export async function putProject(
  tx: Queryable,
  project: { id: string; version: number; people: readonly string[] },
): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into projects (id, version) values ($1, $2)
     on conflict (id) do update set version = excluded.version
     where projects.version < excluded.version and not projects.deleted`,
    [project.id, project.version],
  );
  if (rowCount === 0) return;
  await tx.query('delete from project_people where project_id = $1', [project.id]);
  await tx.query('insert into project_people (project_id, user_id) select $1, unnest($2::text[])', [
    project.id,
    [...new Set(project.people)],
  ]);
}

/** Marks a project as gone for good. */
export async function markProjectDeleted(tx: Queryable, projectId: string): Promise<void> {
  await tx.query(
    `insert into projects (id, version, deleted) values ($1, 0, true)
     on conflict (id) do update set deleted = true`,
    [projectId],
  );
  await tx.query('delete from project_people where project_id = $1', [projectId]);
}
