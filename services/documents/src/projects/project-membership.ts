import { AppError, invalidField } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isRecentId } from '@atrium/service-kit/process/new-id';

const PROPAGATION_TIMEOUT_MS = 2_000;
const POLL_INTERVAL_MS = 100;

/** All signed-in users can see all projects, so 403 reveals nothing. */
export async function assertProjectMember(db: Queryable, caller: Caller, projectId: string | null): Promise<void> {
  if (projectId === null) return;
  const membership = await awaitProject(db, { projectId, userId: caller.userId });
  if (!membership || membership.deleted) throw invalidField('project', 'Project not found');
  if (caller.role !== 'admin' && !membership.isMember) {
    throw new AppError('forbidden', 'Only project members can add documents to this project');
  }
}

export async function assertProjectsExist(db: Queryable, projectIds: readonly string[]): Promise<void> {
  const existing = await pollUntil(
    async () => {
      const { rows } = await db.query<{ id: string }>('select id from projects where id = any($1) and not deleted', [
        projectIds,
      ]);
      return rows.map(({ id }) => id);
    },
    (found) => projectIds.every((id) => found.includes(id) || !isRecentId(id)),
  );
  if (existing.length < projectIds.length) throw invalidField('projectIds', 'Project not found');
}

type ProjectMembership = { deleted: boolean; isMember: boolean };

export async function awaitProject(
  db: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<ProjectMembership | undefined> {
  return pollUntil(
    async () => {
      const { rows } = await db.query<ProjectMembership>(
        `select p.deleted, exists (
           select from project_people m where m.project_id = p.id and m.user_id = $2
         ) as "isMember"
         from projects p where p.id = $1`,
        [projectId, userId],
      );
      return rows[0];
    },
    (project) => project !== undefined || !isRecentId(projectId),
  );
}

async function pollUntil<T>(read: () => Promise<T>, isSettled: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + PROPAGATION_TIMEOUT_MS;
  for (;;) {
    const value = await read();
    if (isSettled(value) || performance.now() > deadline) return value;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

export async function listProjectMembers(db: Queryable, projectIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    'select distinct user_id from project_people where project_id = any($1) order by user_id',
    [projectIds],
  );
  return rows.map(({ user_id }) => user_id);
}
