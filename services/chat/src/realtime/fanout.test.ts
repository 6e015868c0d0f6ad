import { readFileSync } from 'node:fs';
import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { subjectOf } from '@atrium/proto-events/event';
import { describe, expect, it } from '@jest/globals';
import { FANOUT, NOT_FANNED_OUT } from './fanout.ts';

const SAMPLE = new URL('../../../../proto-events/fixtures/meetings.meeting.updated.v1.json', import.meta.url);
const rows = FANOUT.map(({ event }) => subjectOf(event));

describe('the fan-out', () => {
  it('has a row or a stated reason for every event there is, and never both', () => {
    expect([...rows, ...Object.keys(NOT_FANNED_OUT)].sort()).toEqual(ALL_EVENTS.map(subjectOf).sort());
  });

  it('hands on ids only', () => {
    const conversationId = 'a'.repeat(24);
    const row = FANOUT.find(({ event }) => event.type === 'chat.message.sent');
    const data = { conversationId, messageId: 'b'.repeat(24), seq: 7, senderId: 'c'.repeat(24) };
    expect(row?.fan(data)).toEqual({
      rooms: [`conversation:${conversationId}`],
      changes: [{ resource: 'message', id: conversationId, action: 'created', version: 7 }],
    });
  });

  it('tells of a series also who is invited to one of its meetings alone', () => {
    const [meetingId, organizerId, alone] = ['a', 'b', 'c'].map((letter) => letter.repeat(24));
    const row = FANOUT.find(({ event }) => event.type === 'meetings.meeting.updated');
    const time = '2026-11-21T09:00:00.000Z';
    const facts = { meetingId, recurrenceId: time, startTime: time, endTime: time, participantIds: [alone] };
    const fixture = JSON.parse(readFileSync(SAMPLE, 'utf8')).data;
    const data = { ...fixture, organizerId, cancelledAlone: [{ ...facts, aloneIds: [alone] }] };
    expect(row?.fan(data).rooms).toContain(`user:${alone}`);
  });

  it('tells everyone of a person only where lists show what changed', () => {
    const row = FANOUT.find(({ event }) => event.type === 'users.user.updated');
    const userId = 'a'.repeat(24);
    const roomsOf = (...changed: string[]) =>
      row?.fan({ userId, role: 'member', status: 'active', version: 2, changed }).rooms;
    expect(roomsOf('timezone')).toEqual([`user:${userId}`, 'admins']);
    expect(roomsOf('skills', 'timezone')).toEqual([`user:${userId}`, 'admins']);
    for (const field of ['firstName', 'department', 'avatar', 'role', 'status']) {
      expect(roomsOf('timezone', field)).toEqual(['everyone']);
    }
  });
});
