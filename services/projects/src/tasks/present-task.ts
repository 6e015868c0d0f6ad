import type { comment, task } from '@atrium/proto-events/http/tasks';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { z } from 'zod';
import { toAbilities } from '../projects/policy.ts';
import type { CommentRow } from './comment-repository.ts';
import { canDeleteComment, getDenialReasons } from './policy.ts';
import { pickTaskFields } from './task-fields.ts';
import type { TaskRow } from './task-repository.ts';

export function presentTask(directory: Directory, caller: Caller, row: TaskRow): z.input<typeof task> {
  const denialReasons = getDenialReasons(caller, row);
  return {
    _id: row.id,
    ...pickTaskFields(row),
    project: row.project_id,
    assignedTo: row.assignedTo === null ? null : directory.summary(row.assignedTo),
    commentCount: row.comment_count,
    createdBy: directory.summary(row.created_by),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    abilities: toAbilities(denialReasons),
    denialReasons,
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

export function toTaskEventData(
  row: Pick<TaskRow, 'id' | 'project_id' | 'title' | 'status' | 'assignedTo' | 'version'>,
) {
  return {
    taskId: row.id,
    projectId: row.project_id,
    title: row.title,
    status: row.status,
    assignedTo: row.assignedTo,
    version: row.version,
  };
}
