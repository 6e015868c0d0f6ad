import { AppError, invalidField } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { isRecentId } from '@atrium/service-kit/process/new-id';
import { findPresentProjects, findProjectStanding, type ProjectStanding } from './project-repository.ts';

/** For the event of a project that was made a moment ago. */
const SETTLE_MS = 2_000;
const ASK_EVERY_MS = 100;

/**
 * Lets through whoever may add documents to the project: its people and administrators. Every signed-in user sees every project,
 * so nobody learns from 403 that there is one.
 */
export async function requireProjectPerson(db: Queryable, caller: Caller, projectId: string | null): Promise<void> {
  if (projectId === null) return;
  const standing = await awaitProject(db, { projectId, userId: caller.userId });
  if (!standing || standing.deleted) throw invalidField('project', 'Project not found');
  if (caller.role !== 'admin' && !standing.belongs) {
    throw new AppError('forbidden', 'Only people of the project can add documents to it');
  }
}

/** Throws `validation_failed` at `projectIds` unless all of these projects are there. */
export async function requireProjects(db: Queryable, projectIds: readonly string[]): Promise<void> {
  const known = await settle(
    () => findPresentProjects(db, projectIds),
    (found) => projectIds.every((id) => found.includes(id) || !isRecentId(id)),
  );
  if (known.length < projectIds.length) throw invalidField('projectIds', 'Project not found');
}

/** What is known of a project; waited for only where its id was made a moment ago. */
export async function awaitProject(
  db: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<ProjectStanding | undefined> {
  return settle(
    () => findProjectStanding(db, projectId, userId),
    (found) => found !== undefined || !isRecentId(projectId),
  );
}

async function settle<T>(ask: () => Promise<T>, isSettled: (found: T) => boolean): Promise<T> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const found = await ask();
    if (isSettled(found) || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
