import { ALL_EVENTS } from '@atrium/proto-events/all-events';
import { subjectOf } from '@atrium/proto-events/event';
import { describe, expect, it } from '@jest/globals';
import { FANOUT, NOT_FANNED_OUT } from './fanout.ts';

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
      change: { resource: 'message', id: conversationId, action: 'created', version: 7 },
    });
  });
});
