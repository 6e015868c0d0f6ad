import { z } from 'zod';
import { defineEvent } from '../event.ts';
import { id, time } from '../fields.ts';
import { sharedProject, sharedProjectCounts } from '../http/projects.ts';
import { task as ownTask, sharedTask } from '../http/tasks.ts';

/** `memberIds` are the team members, without the manager. */
const projectFields = {
  projectId: id,
  name: z.string(),
  status: z.string(),
  managerId: id,
  memberIds: z.array(id),
  version: z.int(),
  project: sharedProject.optional(),
};

export const projectCreated = defineEvent('projects.project.created', 1, z.object({ ...projectFields, createdBy: id }));

/**
 * `changed` names the fields; a change of the team carries all of its members in `memberIds`, and the users who joined or
 * left in `affectedIds`.
 */
export const projectUpdated = defineEvent(
  'projects.project.updated',
  1,
  z.object({
    ...projectFields,
    progress: z.int(),
    changed: z.array(z.string()),
    affectedIds: z.array(id).optional(),
  }),
);

/**
 * Its tasks are deleted without events of their own; `assigneeIds` are their assignees, `creatorIds` the creators of
 * those assigned to others, `affectedIds` its manager and team.
 */
export const projectDeleted = defineEvent(
  'projects.project.deleted',
  1,
  z.object({
    projectId: id,
    name: z.string(),
    assigneeIds: z.array(id).optional(),
    creatorIds: z.array(id).optional(),
    affectedIds: z.array(id).optional(),
    project: sharedProject.optional(),
  }),
);

/** At most two per second, after changes of projects. */
export const projectCountsChanged = defineEvent('projects.counts.changed', 1, sharedProjectCounts);

const taskFields = {
  taskId: id,
  projectId: id,
  title: z.string(),
  status: z.string(),
  assignedTo: id.nullable(),
  version: z.int(),
};

const task = sharedTask.optional();

const previousTask = ownTask.pick({ status: true, priority: true, dueDate: true, completedAt: true }).partial();

/** The start of the due day in UTC. */
const dueDate = time.nullable().optional();

export const taskCreated = defineEvent('projects.task.created', 1, z.object({ ...taskFields, dueDate, task }));

/**
 * `changed` names the fields, or `comments` if the comment `deletedCommentId` was deleted. `previousAssignee` is set if
 * the assignee changed: null for none. `previous` has the earlier values of its fields that changed.
 */
export const taskUpdated = defineEvent(
  'projects.task.updated',
  1,
  z.object({
    ...taskFields,
    dueDate,
    progress: z.int(),
    changed: z.array(z.string()),
    previousAssignee: id.nullable().optional(),
    previous: previousTask.optional(),
    deletedCommentId: id.optional(),
    task,
  }),
);

/** The day of the assignee has started, and the task is due on it or by the end of the next working day. */
export const taskDue = defineEvent(
  'projects.task.due',
  1,
  z.object({ ...taskFields, assignedTo: id, dueDate: time.describe('The start of the due day in UTC') }),
);

export const taskDeleted = defineEvent('projects.task.deleted', 1, z.object({ ...taskFields, task }));

export const MAX_EVENT_COMMENTERS = 100;
export const MAX_EXCERPT_LENGTH = 200;

/**
 * `commenterIds` are the authors of earlier comments, `mentionedIds` the users mentioned in this one; `excerpt` is
 * its beginning, for emails.
 */
export const taskCommented = defineEvent(
  'projects.task.commented',
  1,
  z.object({
    ...taskFields,
    task,
    commentId: id,
    createdBy: id.optional(),
    commenterIds: z.array(id).max(MAX_EVENT_COMMENTERS).optional(),
    mentionedIds: z.array(id).max(MAX_EVENT_COMMENTERS).optional(),
    excerpt: z.string().max(MAX_EXCERPT_LENGTH).optional(),
  }),
);

export const MAX_LISTED_TASKS = 10;

/** A deactivated or deleted user was removed from a project, and their open tasks were unassigned. */
export const memberDeactivated = defineEvent(
  'projects.member.departed',
  1,
  z.object({
    projectId: id,
    name: z.string(),
    managerId: id,
    userId: id,
    tasks: z.array(z.object({ taskId: id, title: z.string() })).max(MAX_LISTED_TASKS),
    taskCount: z.int(),
  }),
);

/**
 * The project's response to a decision: a task, or none, with a human-readable `reason`. One response per attempt;
 * `made` means that the task was created; `status` and `version` are those of the new or existing task.
 */
export const decisionResolved = defineEvent(
  'projects.decision.resolved',
  1,
  z.object({
    decisionId: id,
    attempt: z.int(),
    meetingId: id,
    projectId: id,
    outcome: z.enum(['made', 'rejected']),
    taskId: id.nullable(),
    status: z.string().nullable(),
    version: z.int(),
    reason: z.string().nullable(),
  }),
);

/** A reply by email (`notifications.task.replied`) did not become a comment; `reason` is written for its sender. */
export const commentRejected = defineEvent(
  'projects.comment.rejected',
  1,
  z.object({ taskId: id, userId: id, reason: z.string() }),
);
