import { COMPLETED_IS_FINAL, type Membership } from '@atrium/proto-events/abilities/projects';
import type { updateProjectBody } from '@atrium/proto-events/http/projects';
import { AppError } from '@atrium/service-kit/errors/app-error';
import type { z } from 'zod';

type ProjectMembers = { manager_id: string; member_ids: string[] };

export function findMembership(userId: string, { manager_id, member_ids }: ProjectMembers): Membership {
  if (manager_id === userId) return 'manager';
  return member_ids.includes(userId) ? 'member' : null;
}

export const isProjectMember = (userId: string, project: ProjectMembers): boolean =>
  findMembership(userId, project) !== null;

type CurrentState = { status: string; progress: number };
type Change = Pick<z.output<typeof updateProjectBody>, 'status' | 'progress'>;

export function assertChangeAllowed(before: CurrentState, change: Change): void {
  const reason = findViolation(before, change);
  if (reason !== undefined) throw new AppError('conflict', reason);
}

function findViolation(before: CurrentState, { status, progress }: Change): string | undefined {
  if (before.status === 'completed') return COMPLETED_IS_FINAL;
  if (progress === undefined || progress === before.progress) return undefined;
  if (progress < before.progress) return `Progress cannot decrease from ${before.progress}% to ${progress}%`;
  if (!['in-progress', 'completed'].includes(status ?? before.status)) {
    return 'Progress can only be updated when status is "In Progress" or "Completed"';
  }
  return undefined;
}
