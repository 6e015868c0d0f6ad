import { projectCreated } from '@atrium/proto-events/events/projects';
import type { createProjectBody, Project } from '@atrium/proto-events/http/projects';
import { awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentProject, projectEventData } from './present-project.ts';
import { insertProject, type NewProject } from './project-repository.ts';
import { publishProjectEntry } from './publish-project-events.ts';
import { assertActiveUsers, requireManager } from './require-people.ts';

type Body = z.output<typeof createProjectBody>;

export async function createProject(
  { db, directory }: Deps,
  caller: Caller,
  { body, key }: { body: Body; key: IdempotencyKey | undefined },
): Promise<Project> {
  await awaitActiveUsers(directory, [body.projectManager, ...body.teamMembers]);
  return withIdempotencyKey(db, { caller, key }, async (tx) => {
    // Checked here, since a retry gets the first response even if the manager has left since.
    requireManager(directory, body.projectManager);
    assertActiveUsers(directory, body.teamMembers, 'teamMembers');
    const row = await insertProject(tx, newProject(body, caller));
    await publishProjectEntry(tx, row);
    await appendEvent(tx, {
      event: projectCreated,
      data: { ...projectEventData(row), createdBy: caller.userId },
      aggregate: row.id,
      actorId: caller.userId,
    });
    return presentProject(directory, caller, row);
  });
}

function newProject(body: Body, caller: Caller): NewProject {
  return {
    id: newId(),
    name: body.name,
    description: body.description,
    priority: body.priority,
    status: body.status,
    manager_id: body.projectManager,
    created_by: caller.userId,
    budget: body.budget ?? null,
    start_date: body.startDate ?? null,
    due_date: body.deadline ?? null,
    // The manager is a project member without being in the team.
    member_ids: [...new Set(body.teamMembers)].filter((id) => id !== body.projectManager),
  };
}
