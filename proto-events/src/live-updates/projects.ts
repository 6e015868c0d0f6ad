import { subjectOf } from '../event.ts';
import * as projects from '../events/projects.ts';
import { type Action, affectsFields, type ExemptEvents, type FanoutRow, type LiveUpdate, row } from './live-update.ts';
import { DISPLAY_NAME_FIELDS } from './topics.ts';

type ProjectEventData = { projectId: string; version?: number; changed?: string[]; status?: string };

export const project =
  (action: Action) =>
  ({ projectId, version = 0, changed, status }: ProjectEventData): LiveUpdate => ({
    topics: [
      'projects',
      `project:${projectId}`,
      ...(action !== 'created' && affectsFields(changed, DISPLAY_NAME_FIELDS.project)
        ? ['project-names' as const]
        : []),
    ],
    audience: 'everyone',
    changes: [
      { resource: 'project', id: projectId, action, version, ...(changed && { changed }), ...(status && { status }) },
    ],
  });

type TaskEventData = { taskId: string; projectId: string; version: number; changed?: string[]; status?: string };

const task =
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

export const FANOUT: readonly FanoutRow[] = [
  row(projects.projectCreated, project('created')),
  row(projects.projectUpdated, project('updated')),
  row(projects.projectDeleted, project('deleted')),
  row(projects.taskCreated, task('created')),
  row(projects.taskUpdated, task('updated')),
  row(projects.taskCommented, (data) => task('updated')({ ...data, changed: ['comments'] })),
  row(projects.taskDeleted, task('deleted')),
];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(projects.decisionResolved)]:
    'the task is published by projects.task.created, and its meeting by meetings.content.changed',
  [subjectOf(projects.memberDeactivated)]:
    'the project and its tasks are published by their own events; notifications publishes who is notified',
};
