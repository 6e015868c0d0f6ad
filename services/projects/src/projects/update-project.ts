import { projectUpdated } from '@atrium/proto-events/events/projects';
import type { Project, updateProjectBody } from '@atrium/proto-events/http/projects';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, assertVersion, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { hasManagerLeft } from './has-manager-left.ts';
import { CHANGE_MANAGER_DENIED, canUpdate, getChangeManagerDenial, PROGRESS_DENIED, UPDATE_DENIED } from './policy.ts';
import { presentProject, projectEventData } from './present-project.ts';
import { changeProject, lockProject, type ProjectChange, type ProjectRow, removeMember } from './project-repository.ts';
import { assertChangeAllowed } from './project-rules.ts';
import { publishProjectEntry } from './publish-project-events.ts';
import { requireManager } from './require-people.ts';

type Body = z.output<typeof updateProjectBody>;

/** API field names of the columns in events. */
const FIELD_OF: Record<string, string> = {
  due_date: 'deadline',
  start_date: 'startDate',
  manager_id: 'projectManager',
};

export async function updateProject(
  { db, directory }: Deps,
  caller: Caller,
  { id, body }: { id: string; body: Body },
): Promise<Project> {
  return db.transaction(async (tx) => {
    const before = await lockProject(tx, id);
    if (!before) throw notFound('Project');
    if (!canUpdate(caller)) {
      throw new AppError('forbidden', body.progress === undefined ? UPDATE_DENIED : PROGRESS_DENIED);
    }
    const present = () => presentProject(directory, caller, before);
    assertVersion(before, { version: body.version, what: 'this project', present });
    assertChangeAllowed(before, body);
    const change = toChange(before, body);
    if (Object.keys(change).length === 0) return presentProject(directory, caller, before);
    if (change.manager_id !== undefined) {
      assertNewManager(directory, caller, before, change.manager_id);
      await removeMember(tx, id, change.manager_id);
    }
    const after = await changeProject(tx, id, change);
    if (!after) throw new AppError('conflict', 'The project was changed at the same time');
    await publishProjectEntry(tx, after);
    await appendEvent(tx, {
      event: projectUpdated,
      data: {
        ...projectEventData(after),
        progress: after.progress,
        changed: changedFields(before, change),
      },
      aggregate: id,
      actorId: caller.userId,
    });
    return presentProject(directory, caller, after);
  });
}

function assertNewManager(directory: Directory, caller: Caller, before: ProjectRow, managerId: string): void {
  const project = { managerHasLeft: hasManagerLeft(directory, before) };
  const reason = getChangeManagerDenial(caller, project);
  if (reason !== undefined) throw new AppError(reason === CHANGE_MANAGER_DENIED ? 'forbidden' : 'conflict', reason);
  requireManager(directory, managerId);
}

/** A team member who becomes the manager is no longer listed in the team. */
function changedFields({ member_ids }: ProjectRow, change: ProjectChange): string[] {
  const fields = Object.keys(change).map((column) => FIELD_OF[column] ?? column);
  const removedFromTeam = change.manager_id !== undefined && member_ids.includes(change.manager_id);
  return removedFromTeam ? [...fields, 'teamMembers'] : fields;
}

/** Due date and end date are the same; completing sets 100 percent. */
function toChange(before: ProjectRow, body: Body): ProjectChange {
  const due = body.deadline !== undefined ? body.deadline : body.endDate;
  const requested = {
    manager_id: body.projectManager,
    name: body.name,
    description: body.description,
    priority: body.priority,
    status: body.status,
    progress: body.status === 'completed' ? 100 : body.progress,
    budget: body.budget,
    start_date: body.startDate,
    due_date: due,
  };
  const now: Record<string, unknown> = {
    ...before,
    budget: before.budget === null ? null : Number(before.budget),
    start_date: before.start_date?.toISOString() ?? null,
    due_date: before.due_date?.toISOString() ?? null,
  };
  return Object.fromEntries(
    Object.entries(requested).filter(([column, value]) => value !== undefined && value !== now[column]),
  );
}
