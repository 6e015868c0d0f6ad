import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALL_EVENTS } from '../src/all-events.ts';
import { subjectOf } from '../src/event.ts';
import { FANOUT, NOT_FANNED_OUT } from '../src/live-updates/fanout.ts';

const SAMPLE = new URL('../fixtures/meetings.meeting.updated.v1.json', import.meta.url);
const DOCUMENT = new URL('../fixtures/documents.document.updated.v1.json', import.meta.url);
const CLOSED = new URL('../fixtures/meetings.meeting.closed.v1.json', import.meta.url);
const ROOM = new URL('../fixtures/meetings.room.changed.v1.json', import.meta.url);
const CONVERSATION = new URL('../fixtures/chat.conversation.updated.v1.json', import.meta.url);
const fannedOutSubjects = FANOUT.map(({ event }) => subjectOf(event));

describe('the fan-out', () => {
  it('has a row or a reason for every event, and never both', () => {
    expect([...fannedOutSubjects, ...Object.keys(NOT_FANNED_OUT)].sort()).toEqual(ALL_EVENTS.map(subjectOf).sort());
  });

  it('sends only the ids of a message, without its content', () => {
    const conversationId = 'a'.repeat(24);
    const row = FANOUT.find(({ event }) => event.type === 'chat.message.sent');
    const data = { conversationId, messageId: 'b'.repeat(24), seq: 7, senderId: 'c'.repeat(24) };
    expect(row?.toUpdates(data)).toEqual([
      {
        topics: [],
        audience: { conversation: conversationId, users: [] },
        changes: [{ resource: 'message', id: conversationId, action: 'created', version: 7 }],
      },
    ]);
  });

  it('sends room changes to all subscribers of meetings, with the changed fields of an update', () => {
    const row = FANOUT.find(({ event }) => event.type === 'meetings.room.changed');
    const { data } = JSON.parse(readFileSync(ROOM, 'utf8'));
    const update = { topics: ['meetings'], audience: 'everyone' };
    const change = { resource: 'room', id: data.roomId, version: 2 };
    expect(row?.toUpdates(data)).toEqual([
      { ...update, changes: [{ ...change, action: 'updated', changed: data.changed }] },
    ]);
    expect(row?.toUpdates({ ...data, action: 'deleted', changed: [] })).toEqual([
      { ...update, changes: [{ ...change, action: 'deleted' }] },
    ]);
  });

  it('names the changed fields of a conversation', () => {
    const row = FANOUT.find(({ event }) => event.type === 'chat.conversation.updated');
    const { data } = JSON.parse(readFileSync(CONVERSATION, 'utf8'));
    expect(row?.toUpdates({ ...data, changed: ['title'] })[0]?.changes).toEqual([
      {
        resource: 'conversation',
        id: data.conversationId,
        action: 'updated',
        version: data.version,
        changed: ['title'],
      },
    ]);
  });

  it('sends changed participants to added and removed users, and changed other participants to the rest', () => {
    const row = FANOUT.find(({ event }) => event.type === 'chat.conversation.updated');
    const fixture = JSON.parse(readFileSync(CONVERSATION, 'utf8')).data;
    const [addedId, removedId] = ['d', 'e'].map((letter) => letter.repeat(24));
    const data = { ...fixture, addedIds: [addedId], removedIds: [removedId], changed: ['title', 'participants'] };
    expect(row?.toUpdates(data)).toMatchObject([
      {
        audience: { conversation: data.conversationId, users: [] },
        changes: [{ changed: ['title', 'otherParticipants'] }],
      },
      { audience: { users: [addedId, removedId] }, changes: [{ changed: ['title', 'participants'] }] },
    ]);
    expect(row?.toUpdates({ ...data, addedIds: [], removedIds: [], changed: ['title'] })).toHaveLength(1);
  });

  it('adds the project of documents and meetings as scope, unless it is unknown or has changed', () => {
    const projectId = 'b'.repeat(24);
    const listScopes = (overrides: { project?: string | null; changed: string[] }) =>
      [DOCUMENT, SAMPLE].map((sample) => {
        const { type, data } = JSON.parse(readFileSync(sample, 'utf8'));
        const row = FANOUT.find(({ event }) => event.type === type);
        return row?.toUpdates({ ...data, ...overrides })[0]?.changes[0]?.scope;
      });
    const bothScopes = (project: string | null) => [{ project }, { project }];
    expect(listScopes({ project: projectId, changed: ['description'] })).toEqual(bothScopes(projectId));
    expect(listScopes({ project: null, changed: ['description'] })).toEqual(bothScopes(null));
    expect(listScopes({ changed: ['description'] })).toEqual([{ project: null }, undefined]);
    expect(listScopes({ project: projectId, changed: ['project'] })).toEqual([undefined, undefined]);
  });

  it.each(FANOUT.filter(({ event }) => /^meetings\.(meeting|content)\./.test(event.type)))(
    'sends $event.type to participants, and with asAdmin to administrators',
    ({ event, toUpdates }) => {
      const file = new URL(SAMPLE.href.replace('meetings.meeting.updated.v1', subjectOf(event)));
      const { data } = JSON.parse(readFileSync(file, 'utf8'));
      const [update, ...adminUpdates] = toUpdates(data);
      expect(update?.audience).toEqual({ users: expect.arrayContaining([data.organizerId, ...data.participantIds]) });
      const changes = update?.changes.map((change) => ({ ...change, asAdmin: true }));
      expect(adminUpdates).toEqual([{ ...update, audience: { users: [], admins: true }, changes }]);
    },
  );

  it('includes the summary in the changed fields of a closed meeting only if there is one', () => {
    const row = FANOUT.find(({ event }) => event.type === 'meetings.meeting.closed');
    const { data } = JSON.parse(readFileSync(CLOSED, 'utf8'));
    const listChangedFields = (summary: string) => row?.toUpdates({ ...data, summary })[0]?.changes[0]?.changed;
    expect([listChangedFields('We ship.'), listChangedFields('')]).toEqual([['closing', 'summary'], ['closing']]);
  });

  it('sends each changed occurrence only to its guests', () => {
    const row = FANOUT.find(({ event }) => event.type === 'meetings.occurrences.changed');
    const [firstId, secondId, firstGuestId, secondGuestId] = ['1', '2', 'e', 'f'].map((letter) => letter.repeat(24));
    const changedFields = ['agendaItems'];
    const occurrences = [
      { meetingId: firstId, userIds: [firstGuestId] },
      { meetingId: secondId, userIds: [secondGuestId] },
    ];
    const update = (meetingId: string | undefined, user: string | undefined) => ({
      topics: ['meetings'],
      audience: { users: [user] },
      changes: [{ resource: 'meeting', id: meetingId, action: 'updated', version: 0, changed: changedFields }],
    });
    expect(row?.toUpdates({ occurrences, changed: changedFields })).toEqual([
      update(firstId, firstGuestId),
      update(secondId, secondGuestId),
    ]);
  });

  it('sends user changes to the topics that show the changed fields, and task changes to the project and the task', () => {
    const findRow = (type: string) => FANOUT.find(({ event }) => event.type === type);
    const [userId, projectId, taskId] = ['a', 'b', 'c'].map((letter) => letter.repeat(24));
    const listTopics = (...changedFields: string[]) =>
      findRow('users.user.updated')?.toUpdates({
        userId,
        role: 'member',
        status: 'active',
        version: 2,
        changed: changedFields,
      })[0]?.topics;
    expect(listTopics('timezone')).toEqual([`person:${userId}`]);
    expect(listTopics('skills', 'timezone')).toEqual([`person:${userId}`]);
    expect(listTopics('bio')).toEqual([`person:${userId}`, 'people']);
    for (const field of ['firstName', 'department', 'avatar', 'role', 'status'])
      expect(listTopics('timezone', field)).toEqual([`person:${userId}`, 'people', 'names']);
    const task = { taskId, projectId, title: 'x', status: 'todo', assignedTo: null, version: 3, progress: 5 };
    expect(findRow('projects.task.updated')?.toUpdates({ ...task, changed: ['progress'] })).toEqual([
      {
        topics: [`project:${projectId}`, `task:${taskId}`],
        audience: 'everyone',
        changes: [
          {
            resource: 'task',
            id: taskId,
            action: 'updated',
            version: 3,
            scope: { project: projectId },
            changed: ['progress'],
            status: 'todo',
          },
        ],
      },
    ]);
  });
});
