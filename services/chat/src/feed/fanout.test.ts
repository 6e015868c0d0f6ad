import { readFileSync } from 'node:fs';
import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { subjectOf } from '@atrium/proto-events/event';
import { describe, expect, it } from '@jest/globals';
import { FANOUT, NOT_FANNED_OUT } from './fanout.ts';

const SAMPLE = new URL('../../../../proto-events/fixtures/meetings.meeting.updated.v1.json', import.meta.url);
const DOCUMENT = new URL('../../../../proto-events/fixtures/documents.document.updated.v1.json', import.meta.url);
const CLOSED = new URL('../../../../proto-events/fixtures/meetings.meeting.closed.v1.json', import.meta.url);
const ROOM = new URL('../../../../proto-events/fixtures/meetings.room.changed.v1.json', import.meta.url);
const CONVERSATION = new URL('../../../../proto-events/fixtures/chat.conversation.updated.v1.json', import.meta.url);
const rows = FANOUT.map(({ event }) => subjectOf(event));

describe('the fan-out', () => {
  it('has a row or a stated reason for every event there is, and never both', () => {
    expect([...rows, ...Object.keys(NOT_FANNED_OUT)].sort()).toEqual(ALL_EVENTS.map(subjectOf).sort());
  });

  it('hands on ids only', () => {
    const conversationId = 'a'.repeat(24);
    const row = FANOUT.find(({ event }) => event.type === 'chat.message.sent');
    const data = { conversationId, messageId: 'b'.repeat(24), seq: 7, senderId: 'c'.repeat(24) };
    expect(row?.toUpdate(data)).toEqual({
      topics: [],
      audience: { conversation: conversationId, users: [] },
      changes: [{ resource: 'message', id: conversationId, action: 'created', version: 7 }],
    });
  });

  it('tells everybody who shows meetings of rooms, and of one that was changed of what', () => {
    const row = FANOUT.find(({ event }) => event.type === 'meetings.room.changed');
    const { data } = JSON.parse(readFileSync(ROOM, 'utf8'));
    const told = { topics: ['meetings'], audience: 'everyone' };
    const change = { resource: 'room', id: data.roomId, version: 2 };
    expect(row?.toUpdate(data)).toEqual({
      ...told,
      changes: [{ ...change, action: 'updated', changed: data.changed }],
    });
    expect(row?.toUpdate({ ...data, action: 'deleted', changed: [] })).toEqual({
      ...told,
      changes: [{ ...change, action: 'deleted' }],
    });
  });

  it('says of a conversation what has changed', () => {
    const row = FANOUT.find(({ event }) => event.type === 'chat.conversation.updated');
    const { data } = JSON.parse(readFileSync(CONVERSATION, 'utf8'));
    expect(row?.toUpdate({ ...data, changed: ['title'] }).changes).toEqual([
      {
        resource: 'conversation',
        id: data.conversationId,
        action: 'updated',
        version: data.version,
        changed: ['title'],
      },
    ]);
  });

  it('tells who comes to a conversation or leaves it of that, and everybody else that it was others', () => {
    const row = FANOUT.find(({ event }) => event.type === 'chat.conversation.updated');
    const fixture = JSON.parse(readFileSync(CONVERSATION, 'utf8')).data;
    const [addedId, removedId] = ['d', 'e'].map((letter) => letter.repeat(24));
    const data = { ...fixture, addedIds: [addedId], removedIds: [removedId], changed: ['title', 'participants'] };
    expect(row?.toUpdate(data)).toMatchObject({
      audience: { conversation: data.conversationId, users: [] },
      changes: [{ changed: ['title', 'otherParticipants'] }],
    });
    expect(row?.toAdditionalUpdates(data)).toMatchObject([
      { audience: { users: [addedId, removedId] }, changes: [{ changed: ['title', 'participants'] }] },
    ]);
    expect(row?.toAdditionalUpdates({ ...data, addedIds: [], removedIds: [], changed: ['title'] })).toEqual([]);
  });

  it('says of a document and of a meeting to which project they belong, and not where that is unknown or they moved', () => {
    const projectId = 'b'.repeat(24);
    const scopesBy = (more: { project?: string | null; changed: string[] }) =>
      [DOCUMENT, SAMPLE].map((sample) => {
        const { type, data } = JSON.parse(readFileSync(sample, 'utf8'));
        return FANOUT.find(({ event }) => event.type === type)?.toUpdate({ ...data, ...more }).changes[0]?.scope;
      });
    const given = (project: string | null) => [{ project }, { project }];
    expect(scopesBy({ project: projectId, changed: ['description'] })).toEqual(given(projectId));
    expect(scopesBy({ project: null, changed: ['description'] })).toEqual(given(null));
    // Events of documents always say it.
    expect(scopesBy({ changed: ['description'] })).toEqual([{ project: null }, undefined]);
    expect(scopesBy({ project: projectId, changed: ['project'] })).toEqual([undefined, undefined]);
  });

  it.each(FANOUT.filter(({ event }) => /^meetings\.meeting\./.test(event.type)))(
    'tells administrators of $event.type as of what is none of theirs, and its people as of what is',
    ({ event, toUpdate, toAdditionalUpdates }) => {
      const file = new URL(SAMPLE.href.replace('meetings.meeting.updated.v1', subjectOf(event)));
      const { data } = JSON.parse(readFileSync(file, 'utf8'));
      const told = toUpdate(data);
      expect(told.audience).toEqual({ users: expect.arrayContaining([data.organizerId, ...data.participantIds]) });
      const toAdmins = toAdditionalUpdates(data).filter(({ audience }) => audience !== 'everyone' && audience.admins);
      const changes = told.changes.map((change) => ({ ...change, asAdmin: true }));
      expect(toAdmins).toEqual([{ ...told, audience: { users: [], admins: true }, changes }]);
    },
  );

  it('says of a meeting that was closed whether it has a summary now', () => {
    const row = FANOUT.find(({ event }) => event.type === 'meetings.meeting.closed');
    const { data } = JSON.parse(readFileSync(CLOSED, 'utf8'));
    const changedBy = (summary: string) => row?.toUpdate({ ...data, summary }).changes[0]?.changed;
    expect([changedBy('We ship.'), changedBy('')]).toEqual([['closing', 'summary'], ['closing']]);
  });

  it('notifies each user of a changed occurrence of a series of that occurrence only', () => {
    const row = FANOUT.find(({ event }) => event.type === 'meetings.occurrences.changed');
    const [one, other, guest, second] = ['1', '2', 'e', 'f'].map((letter) => letter.repeat(24));
    const changed = ['agendaItems'];
    const occurrences = [
      { meetingId: one, userIds: [guest] },
      { meetingId: other, userIds: [second] },
    ];
    const told = (meetingId: string | undefined, user: string | undefined) => ({
      topics: ['meetings'],
      audience: { users: [user] },
      changes: [{ resource: 'meeting', id: meetingId, action: 'updated', version: 0, changed }],
    });
    expect(row?.toUpdate({ occurrences, changed })).toEqual(told(one, guest));
    expect(row?.toAdditionalUpdates({ occurrences, changed })).toEqual([told(other, second)]);
  });

  it('tells of a person where what changed is shown, and of a task those who show its project', () => {
    const rowOf = (type: string) => FANOUT.find(({ event }) => event.type === type);
    const [userId, projectId, taskId] = ['a', 'b', 'c'].map((letter) => letter.repeat(24));
    const topicsOf = (...changed: string[]) =>
      rowOf('users.user.updated')?.toUpdate({ userId, role: 'member', status: 'active', version: 2, changed }).topics;
    expect(topicsOf('timezone')).toEqual([`person:${userId}`]);
    expect(topicsOf('skills', 'timezone')).toEqual([`person:${userId}`]);
    expect(topicsOf('bio')).toEqual([`person:${userId}`, 'people']);
    for (const field of ['firstName', 'department', 'avatar', 'role', 'status'])
      expect(topicsOf('timezone', field)).toEqual([`person:${userId}`, 'people', 'names']);
    const task = { taskId, projectId, title: 'x', status: 'todo', assignedTo: null, version: 3, progress: 5 };
    expect(rowOf('projects.task.updated')?.toUpdate({ ...task, changed: ['progress'] })).toEqual({
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
    });
  });
});
