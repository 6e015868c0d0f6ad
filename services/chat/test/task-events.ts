import type { taskCreated } from '@atrium/proto-events/events/projects';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';

type TaskUsers = { createdBy: DirectoryUser; assignedTo?: DirectoryUser };

/** Builds an event with a task, and the item that browsers receive. */
export function buildTaskEvent(projectId: string, { createdBy, assignedTo }: TaskUsers, taskId = newId()) {
  const fields = {
    _id: taskId,
    title: 'Write the report',
    description: '',
    status: 'todo',
    priority: 'high',
    project: projectId,
    startDate: null,
    dueDate: null,
    progress: 0,
    commentCount: 0,
    completedAt: null,
    origin: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    version: 1,
  } as const;
  const summary = ({ _id, firstName, lastName }: DirectoryUser) => ({ _id, firstName, lastName });
  const event: z.input<typeof taskCreated.data> = {
    taskId,
    projectId,
    title: fields.title,
    status: fields.status,
    assignedTo: assignedTo?._id ?? null,
    version: fields.version,
    task: { ...fields, createdBy: summary(createdBy), assignedTo: assignedTo ? summary(assignedTo) : null },
  };
  const item = {
    ...fields,
    createdBy: { _id: createdBy._id },
    assignedTo: assignedTo ? { _id: assignedTo._id } : null,
  };
  return { event, item };
}
