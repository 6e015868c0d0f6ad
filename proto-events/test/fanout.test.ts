import { describe, expect, it } from '@jest/globals';
import { ALL_EVENTS } from '../src/all-events.ts';
import { subjectOf } from '../src/event.ts';
import { FANOUT, NOT_FANNED_OUT } from '../src/live-updates/fanout.ts';
import type { LiveUpdate } from '../src/live-updates/live-update.ts';
import { type Data, idOf, readSample, SAMPLE_UPDATES, toChanges, toUpdates } from './sample-updates.ts';

const fannedOutSubjects = FANOUT.map(({ event }) => subjectOf(event));

describe('the fan-out', () => {
  it('has a row or a reason for every event, and never both', () => {
    expect([...fannedOutSubjects, ...Object.keys(NOT_FANNED_OUT)].sort()).toEqual(ALL_EVENTS.map(subjectOf).sort());
  });

  it('has an update for a sample of every row', () => {
    expect(new Set(SAMPLE_UPDATES.map(({ subject }) => subject))).toEqual(new Set(fannedOutSubjects));
  });
});

describe('a change of a user', () => {
  const userId = idOf('b');
  const listTags = (...changed: string[]) => toChanges('users.user.updated', { changed })[0]?.tags;

  it('has the tags of what shows the changed fields', () => {
    expect(listTags('timezone', 'skills')).toEqual(['users', `user:${userId}`]);
    expect(listTags('tasksCompleted')).toEqual(['users', `user:${userId}`]);
    for (const field of ['firstName', 'lastName', 'email', 'avatar', 'role'])
      expect(listTags('timezone', field)).toEqual(['users', `user:${userId}`, 'people']);
    expect(listTags('department')).toEqual(['users', `user:${userId}`, 'people', 'departments']);
    expect(listTags('status')).toEqual(['users', `user:${userId}`, 'people', 'invitations']);
  });

  it('names preferences to the user alone', () => {
    const ofUser = { resource: 'user', id: userId, action: 'updated', tags: [`user:${userId}`] };
    expect(toUpdates('users.user.updated', { changed: ['preferences', 'skills'] })).toEqual([
      {
        audience: 'everyone',
        change: expect.objectContaining({ ...ofUser, tags: ['users', `user:${userId}`], changed: ['skills'] }),
      },
      { audience: { users: [userId] }, change: expect.objectContaining({ ...ofUser, changed: ['preferences'] }) },
    ]);
    expect(toChanges('users.user.updated', { changed: ['skills'] })).toHaveLength(1);
  });

  it('contains the user as lists show it', () => {
    const sample = 'users.user.updated.v1.item.json';
    expect(toChanges('users.user.updated', {}, sample)).toEqual([
      expect.objectContaining({ id: userId, version: 2, item: readSample(sample).user }),
    ]);
  });
});

describe('a change of a project', () => {
  const [projectId, joined, left] = [idOf('1'), idOf('d'), idOf('e')];

  it('goes to everyone with its item, and to users who joined or left with the tags of what looks different', () => {
    const sample = 'projects.project.updated.v1.item.json';
    const changed = ['teamMembers'];
    const [update, ...affected] = toUpdates(
      'projects.project.updated',
      { changed, affectedIds: [joined, left] },
      sample,
    );
    const change = { resource: 'project', id: projectId, action: 'updated', version: 2, changed };
    expect(update).toEqual({
      audience: 'everyone',
      change: { ...change, tags: ['projects', `project:${projectId}`], item: readSample(sample).project },
    });
    const tags = ['projects', 'own-projects', `project:${projectId}`, 'tasks', `tasks-in:${projectId}`];
    expect(affected).toEqual(
      [joined, left].map((userId) => ({
        audience: { users: [userId] },
        change: { ...change, tags: [...tags, `tasks-of:${userId}`, `tasks-by:${userId}`] },
      })),
    );
  });

  it('that deletes it has the tags of its tasks, and goes to its members for lists of their own projects', () => {
    const [update, ofMembers] = toUpdates(
      'projects.project.deleted',
      { assigneeIds: [joined], creatorIds: [left], affectedIds: [joined, left] },
      'projects.project.deleted.v1.item.json',
    );
    expect(update?.change.tags).toEqual([
      'projects',
      `project:${projectId}`,
      'tasks',
      `tasks-in:${projectId}`,
      `tasks-of:${joined}`,
      `tasks-by:${left}`,
    ]);
    expect(ofMembers).toMatchObject({ audience: { users: [joined, left] }, change: { tags: ['own-projects'] } });
  });
});

describe('a change of a task', () => {
  it('has the tags of its project and of both assignees, and the previous assignee', () => {
    const [assignedTo, previousAssignee] = [idOf('a'), idOf('b')];
    const sample = 'projects.task.updated.v1.item.json';
    const { taskId, projectId, task } = readSample(sample);
    const changed = ['assignedTo'];
    expect(toUpdates('projects.task.updated', { assignedTo, previousAssignee, changed }, sample)).toEqual([
      {
        audience: 'everyone',
        change: {
          resource: 'task',
          id: taskId,
          action: 'updated',
          version: 3,
          tags: [
            'tasks',
            `tasks-in:${projectId}`,
            `task:${taskId}`,
            ...[assignedTo, previousAssignee].map((id) => `tasks-of:${id}`),
            `tasks-by:${(task as { createdBy: { _id: string } }).createdBy._id}`,
          ],
          changed,
          previous: { assignedTo: { _id: previousAssignee } },
          item: task,
        },
      },
    ]);
    expect(toChanges('projects.task.commented')[0]).toMatchObject({ action: 'updated', changed: ['comments'] });
  });
});

describe('a change of counts', () => {
  it.each(['projects.counts.changed', 'users.counts.changed'])('contains them: %s', (type) => {
    const [{ audience, change } = {} as LiveUpdate] = toUpdates(type);
    expect(audience).toBe('everyone');
    expect(change.item).toEqual(readSample(`${type}.v1.json`));
  });
});

describe('a change of a room', () => {
  it('goes to everyone, and to meetings only if they show the changed field', () => {
    const toTags = (overrides: Data) => toChanges('meetings.room.changed', overrides)[0]?.tags;
    expect(toTags({ changed: ['name'] })).toEqual(['rooms', 'room-names']);
    expect(toTags({ changed: ['capacity'] })).toEqual(['rooms']);
  });
});
