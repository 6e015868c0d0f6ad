import type { comment, Task } from '@atrium/proto-events/http/tasks';
import { presentTaskTo, type SharedTask } from '@atrium/proto-events/responses/present';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { z } from 'zod';
import type { CommentRow } from './comment-repository.ts';
import { canDeleteComment } from './policy.ts';
import { pickTaskFields } from './task-fields.ts';
import type { SharedTaskRow, TaskRow } from './task-repository.ts';

export const presentTask = (directory: Directory, caller: Caller, row: TaskRow): Task =>
  presentTaskTo(caller, toSharedTask(directory, row), row.membership);

/** The task as events carry it: without what belongs to one user. */
function toSharedTask(directory: Directory, row: SharedTaskRow): SharedTask {
  return {
    _id: row.id,
    ...pickTaskFields(row),
    project: row.project_id,
    assignedTo: row.assignedTo === null ? null : directory.summary(row.assignedTo),
    commentCount: row.comment_count,
    completedAt: row.completed_at,
    origin: row.origin_message === null ? null : { message: row.origin_message },
    createdBy: directory.summary(row.created_by),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

export function presentComment(directory: Directory, caller: Caller, row: CommentRow): z.input<typeof comment> {
  return {
    _id: row.id,
    comment: row.comment,
    author: directory.summary(row.author_id),
    createdAt: row.created_at.toISOString(),
    abilities: { delete: canDeleteComment(caller, row) },
  };
}

export function toTaskEventData(row: SharedTaskRow) {
  return {
    taskId: row.id,
    projectId: row.project_id,
    title: row.title,
    status: row.status,
    assignedTo: row.assignedTo,
    version: row.version,
  };
}

export const toTaskChangeData = (directory: Directory, row: SharedTaskRow) => ({
  ...toTaskEventData(row),
  task: toSharedTask(directory, row),
});
