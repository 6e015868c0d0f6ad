import { AppError, invalidField } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isRecentId } from '@atrium/service-kit/process/new-id';
import { filterExistingProjects, findProjectMembership, type ProjectMembership } from './project-repository.ts';

/** For projects created moments ago. */
const PROPAGATION_TIMEOUT_MS = 2_000;
const POLL_INTERVAL_MS = 100;

/** Allows project members and administrators. All signed-in users can see all projects, so 403 reveals nothing. */
export async function assertProjectMember(db: Queryable, caller: Caller, projectId: string | null): Promise<void> {
  if (projectId === null) return;
  const membership = await awaitProject(db, { projectId, userId: caller.userId });
  if (!membership || membership.deleted) throw invalidField('project', 'Project not found');
  if (caller.role !== 'admin' && !membership.isMember) {
    throw new AppError('forbidden', 'Only project members can add documents to this project');
  }
}

/** Throws `validation_failed` at `projectIds` if a project does not exist. */
export async function assertProjectsExist(db: Queryable, projectIds: readonly string[]): Promise<void> {
  const known = await settle(
    () => filterExistingProjects(db, projectIds),
    (found) => projectIds.every((id) => found.includes(id) || !isRecentId(id)),
  );
  if (known.length < projectIds.length) throw invalidField('projectIds', 'Project not found');
}

/** Waits only if the project id was created moments ago. */
export async function awaitProject(
  db: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<ProjectMembership | undefined> {
  return settle(
    () => findProjectMembership(db, projectId, userId),
    (found) => found !== undefined || !isRecentId(projectId),
  );
}

async function settle<T>(ask: () => Promise<T>, isSettled: (found: T) => boolean): Promise<T> {
  const deadline = performance.now() + PROPAGATION_TIMEOUT_MS;
  for (;;) {
    const found = await ask();
    if (isSettled(found) || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
