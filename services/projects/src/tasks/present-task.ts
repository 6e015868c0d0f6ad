import type { task } from '@atrium/proto-events/http/tasks';
import type { Directory } from '@atrium/service-kit/directory';
import type { z } from 'zod';
import type { abilities } from './policy.ts';
import type { TaskRow } from './task-repository.ts';

/** A row as the caller sees it. */
export function presentTask(
  directory: Directory,
  row: TaskRow,
  allowed: ReturnType<typeof abilities>,
): z.input<typeof task> {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    project: row.project_id,
    assignedTo: row.assigned_to === null ? null : directory.summary(row.assigned_to),
    dueDate: row.due_date?.toISOString() ?? null,
    progress: row.progress,
    commentCount: 0,
    createdBy: directory.summary(row.created_by),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    abilities: allowed,
  };
}
