import type { Project } from '@atrium/proto-events/http/projects';
import { presentProjectTo, type SharedProject } from '@atrium/proto-events/responses/present';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { findMembership } from './policy.ts';
import type { ProjectRow } from './project-repository.ts';

export function presentProject(directory: Directory, caller: Caller, row: ProjectRow, maxMembers?: number): Project {
  return presentProjectTo(caller, toSharedProject(directory, row, maxMembers), {
    membership: findMembership(caller.userId, row),
    managerHasLeft: hasManagerLeft(directory, row),
  });
}

/** The project as events carry it: without what belongs to one user. */
export function toSharedProject(
  directory: Directory,
  row: ProjectRow,
  maxMembers = Number.POSITIVE_INFINITY,
): SharedProject {
  const dueDate = row.due_date?.toISOString() ?? null;
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    priority: row.priority,
    status: row.status,
    projectManager: directory.summary(row.manager_id),
    teamMembers: row.member_ids.slice(0, maxMembers).map((id) => directory.summary(id)),
    memberCount: row.member_ids.length,
    progress: row.progress,
    budget: row.budget === null ? null : Number(row.budget),
    health: presentHealth(directory, row),
    startDate: row.start_date?.toISOString() ?? null,
    deadline: dueDate,
    endDate: dueDate,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
  };
}

function presentHealth(directory: Directory, row: ProjectRow): SharedProject['health'] {
  const { health: status, health_note: note, health_updated_at: time, health_updated_by: userId } = row;
  if (status === null || note === null || time === null || userId === null) return null;
  return { status, note, updatedAt: time.toISOString(), updatedBy: directory.summary(userId) };
}

/** A manager missing from the directory is treated as present, because the directory may lag. */
export function hasManagerLeft(directory: Directory, { manager_id }: { manager_id: string }): boolean {
  const manager = directory.user(manager_id);
  return manager !== undefined && !isActive(manager);
}
