import { getHealthDenial } from '@atrium/proto-events/abilities/projects';
import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { Project, reportProjectHealth } from '@atrium/proto-events/http/projects';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { appendProjectUpdated } from './append-project-events.ts';
import { findMembership } from './policy.ts';
import { presentProject } from './present-project.ts';
import { changeProject, lockProject } from './project-repository.ts';

type Body = RequestOf<typeof reportProjectHealth>['body'];

/** Replaces the last report. */
export async function reportHealth(
  { db, directory }: Deps,
  caller: Caller,
  { id, body }: { id: string; body: Body },
): Promise<Project> {
  return db.transaction(async (tx) => {
    const before = await lockProject(tx, id);
    if (!before) throw notFound('Project');
    const denial = getHealthDenial(caller, {
      membership: findMembership(caller.userId, before),
      status: before.status,
    });
    if (denial !== undefined) throw new AppError(before.status === 'completed' ? 'conflict' : 'forbidden', denial);
    const after = await changeProject(tx, id, {
      health: body.status,
      health_note: body.note,
      health_updated_at: new Date().toISOString(),
      health_updated_by: caller.userId,
    });
    if (!after) throw new AppError('conflict', 'The project was changed at the same time');
    await appendProjectUpdated(tx, directory, after, { changed: ['health'], actorId: caller.userId, affectedIds: [] });
    return presentProject(directory, caller, after);
  });
}
