import { AppError, notFound } from '@atrium/service-kit/app-error';
import type { Caller } from '@atrium/service-kit/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres';
import { findProjectStanding } from './project-repository.ts';

/** A project made a moment ago may be ahead of the event that tells of it. */
const SETTLE_MS = 2_000;
const ASK_EVERY_MS = 100;

/**
 * Lets through whoever may add documents to the project: its people and administrators. Every signed-in user sees every project,
 * so an unknown one is 404 and a known one 403.
 */
export async function requireProjectPerson(db: Queryable, caller: Caller, projectId: string | null): Promise<void> {
  if (projectId === null) return;
  const standing = await settle(() => findProjectStanding(db, projectId, caller.userId));
  if (!standing || standing.deleted) throw notFound('Project');
  if (caller.role !== 'admin' && !standing.belongs) {
    throw new AppError('forbidden', 'Only people of the project can add documents to it');
  }
}

async function settle<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const found = await ask();
    if (found !== undefined || Date.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
