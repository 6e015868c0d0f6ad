import { getTaskDenials } from '@atrium/proto-events/abilities/projects';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { TaskRow } from './task-repository.ts';

export const DELETE_COMMENT_DENIED = 'Only its author and administrators can delete this comment';

export const canDeleteComment = (caller: Caller, comment: { author_id: string }) =>
  caller.role === 'admin' || comment.author_id === caller.userId;

type TaskFacts = Pick<TaskRow, 'membership' | 'assignedTo' | 'created_by'>;

/** The reason for each denied ability, undefined for those allowed. */
export const getDenialReasons = (caller: Caller, { membership, assignedTo, created_by }: TaskFacts) =>
  getTaskDenials(caller, { membership, assigneeId: assignedTo, creatorId: created_by });
