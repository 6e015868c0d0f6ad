import { projectDeleted } from '@atrium/proto-events/events/projects';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { canDelete, DELETE_DENIED } from './policy.ts';
import { lockProject, removeProject } from './project-repository.ts';
import { publishProjectTombstone } from './publish-project-events.ts';

export async function deleteProject({ db }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const project = await lockProject(tx, id);
    if (!project) throw notFound('Project');
    if (!canDelete(caller, project)) throw new AppError('forbidden', DELETE_DENIED);
    await removeProject(tx, id);
    await publishProjectTombstone(tx, project);
    await appendEvent(tx, {
      event: projectDeleted,
      data: { projectId: id, name: project.name },
      aggregate: id,
      actorId: caller.userId,
    });
  });
}
