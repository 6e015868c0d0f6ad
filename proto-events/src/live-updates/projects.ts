import type { Tag } from '../change-tags.ts';
import { subjectOf } from '../event.ts';
import * as projects from '../events/projects.ts';
import { type Action, type ExemptEvents, type FanoutRow, type LiveUpdate, row } from './live-update.ts';

type ProjectEventData = { projectId: string; version: number; changed?: string[]; project?: object | undefined };

const project =
  (action: Action) =>
  ({ projectId, version, changed, project: item }: ProjectEventData): LiveUpdate => ({
    audience: 'everyone',
    change: {
      resource: 'project',
      id: projectId,
      action,
      version,
      tags: ['projects', `project:${projectId}`],
      ...(changed && { changed }),
      ...(item && { item }),
    },
  });

/** The items of the project and its tasks look different to users who joined or left it: they request them. */
const projectOfAffectedUsers = ({ projectId, version, changed, affectedIds = [] }: AffectedUsersData): LiveUpdate[] =>
  affectedIds.map((userId) => ({
    audience: { users: [userId] },
    change: {
      resource: 'project',
      id: projectId,
      action: 'updated',
      version,
      tags: [
        'projects',
        'own-projects',
        `project:${projectId}`,
        'tasks',
        `tasks-in:${projectId}`,
        `tasks-of:${userId}`,
        `tasks-by:${userId}`,
      ],
      ...(changed && { changed }),
    },
  }));

type AffectedUsersData = ProjectEventData & { affectedIds?: string[] | undefined };

const createdForMembers = (data: ProjectEventData & { managerId: string; memberIds: string[] }): LiveUpdate[] =>
  projectOfAffectedUsers({ ...data, affectedIds: [data.managerId, ...data.memberIds] });

type DeletedProjectData = {
  projectId: string;
  assigneeIds?: string[] | undefined;
  creatorIds?: string[] | undefined;
  affectedIds?: string[] | undefined;
  project?: object | undefined;
};

const deletedProject = ({
  projectId: id,
  assigneeIds = [],
  creatorIds = [],
  project: item,
}: DeletedProjectData): LiveUpdate => ({
  audience: 'everyone',
  change: {
    resource: 'project',
    id,
    action: 'deleted',
    version: 0,
    tags: [
      'projects',
      `project:${id}`,
      'tasks',
      `tasks-in:${id}`,
      ...assigneeIds.map((userId): Tag => `tasks-of:${userId}`),
      ...creatorIds.map((userId): Tag => `tasks-by:${userId}`),
    ],
    ...(item && { item }),
  },
});

/** In lists of their own projects, the item does not say that it was one. */
const deletedForMembers = ({ projectId: id, affectedIds: users = [] }: DeletedProjectData): LiveUpdate => ({
  audience: { users },
  change: { resource: 'project', id, action: 'deleted', version: 0, tags: ['own-projects'] },
});

const projectCounts = (item: object): LiveUpdate => ({
  audience: 'everyone',
  change: { resource: 'project-counts', id: 'all', action: 'updated', version: 0, tags: ['project-counts'], item },
});

type TaskEventData = {
  taskId: string;
  projectId: string;
  assignedTo: string | null;
  version: number;
  changed?: string[];
  previousAssignee?: string | null | undefined;
  previous?: object | undefined;
  task?: { createdBy: { _id: string } } | undefined;
};

function previousTask({ previous, previousAssignee }: TaskEventData): object | undefined {
  if (previousAssignee === undefined) return previous;
  return { ...previous, assignedTo: previousAssignee && { _id: previousAssignee } };
}

const task =
  (action: Action) =>
  (data: TaskEventData): LiveUpdate => {
    const { taskId, projectId, assignedTo, version, changed, previousAssignee, task: item } = data;
    const assigneeIds = [assignedTo, previousAssignee].filter((userId) => userId != null);
    const previous = previousTask(data);
    return {
      audience: 'everyone',
      change: {
        resource: 'task',
        id: taskId,
        action,
        version,
        tags: [
          'tasks',
          `tasks-in:${projectId}`,
          `task:${taskId}`,
          ...assigneeIds.map((userId): Tag => `tasks-of:${userId}`),
          ...(item ? [`tasks-by:${item.createdBy._id}` as const] : []),
        ],
        ...(changed && { changed }),
        ...(previous && { previous }),
        ...(item && { item }),
      },
    };
  };

const commentedTask = (data: TaskEventData): LiveUpdate => task('updated')({ ...data, changed: ['comments'] });

export const FANOUT: readonly FanoutRow[] = [
  row(projects.projectCreated, project('created'), createdForMembers),
  row(projects.projectUpdated, project('updated'), projectOfAffectedUsers),
  row(projects.projectDeleted, deletedProject, deletedForMembers),
  row(projects.projectCountsChanged, projectCounts),
  row(projects.taskCreated, task('created')),
  row(projects.taskUpdated, task('updated')),
  row(projects.taskCommented, commentedTask),
  row(projects.taskDeleted, task('deleted')),
];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(projects.decisionResolved)]:
    'the task is published by projects.task.created, and its meeting by meetings.content.changed',
  [subjectOf(projects.taskDue)]: 'the task does not change; the notifications service publishes the reminders',
  [subjectOf(projects.commentRejected)]: 'nothing changes; the notifications service emails the user',
  [subjectOf(projects.memberDeactivated)]:
    'the project and its tasks are published by their own events; notifications publishes who is notified',
};
