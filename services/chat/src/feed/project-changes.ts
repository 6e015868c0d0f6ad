import { DISPLAY_NAME_FIELDS } from '@atrium/proto-events/topics';
import { type Action, hasChanged, type LiveUpdate } from './audience.ts';

type ProjectEventData = { projectId: string; version?: number; changed?: string[]; status?: string };

export const project =
  (action: Action) =>
  ({ projectId, version = 0, changed, status }: ProjectEventData): LiveUpdate => ({
    topics: [
      'projects',
      `project:${projectId}`,
      ...(action !== 'created' && hasChanged(changed, DISPLAY_NAME_FIELDS.project) ? ['project-names' as const] : []),
    ],
    audience: 'everyone',
    changes: [
      { resource: 'project', id: projectId, action, version, ...(changed && { changed }), ...(status && { status }) },
    ],
  });

type TaskEventData = { taskId: string; projectId: string; version: number; changed?: string[]; status?: string };

export const task =
  (action: Action) =>
  (data: TaskEventData): LiveUpdate => ({
    topics: [`project:${data.projectId}`, `task:${data.taskId}`],
    audience: 'everyone',
    changes: [
      {
        resource: 'task',
        id: data.taskId,
        action,
        version: data.version,
        scope: { project: data.projectId },
        ...(data.changed && { changed: data.changed }),
        ...(data.status && { status: data.status }),
      },
    ],
  });
