import type { Message } from '@atrium/proto-events/http/chat/messages';
import { describe, expect, it } from '@jest/globals';
import { typingLine } from '#entities/conversation/conversation-labels.ts';
import { buildMessage } from '#test/build-message.ts';
import { activityTime } from './conversations/list/conversation-row.tsx';
import { toRows } from './messages/message-rows.ts';
import { dayLabel } from './messages/message-times.ts';

const me = { _id: 'a'.repeat(24), firstName: 'Maya', lastName: 'Okafor' };
const lena = { _id: 'b'.repeat(24), firstName: 'Lena', lastName: 'Brandt' };
const at = (minute: number, day = 20) => new Date(2026, 10, day, 9, minute).toISOString();

const message = (seq: number, fields: Partial<Message> = {}) =>
  buildMessage(seq, { sender: lena, createdAt: at(seq), ...fields });

describe('message rows', () => {
  const rows = (messages: Message[], readUntil: number | null = null, hasOlder = false) =>
    toRows({ log: { messages, hasOlder, hasNewer: false }, pending: [], currentUserId: me._id, readUntil });

  it('groups messages of one sender within five minutes', () => {
    const followUps = rows([message(1), message(2), message(9), message(10, { sender: me })]).flatMap((row) =>
      row.kind === 'message' ? [row.isFollowUp] : [],
    );
    expect(followUps).toEqual([false, true, false, false]);
  });

  it('starts each day with a separator', () => {
    const kinds = rows([message(1), message(2, { createdAt: at(2, 21) })]).map(({ kind }) => kind);
    expect(kinds).toEqual(['day', 'message', 'day', 'message']);
  });

  it('gives the separators of a day different keys if an unsent message is from an earlier day', () => {
    const unsent = (minute: number, day: number) => ({
      clientMessageId: `${day}-${minute}`,
      content: 'not sent',
      attachments: [],
      createdAt: at(minute, day),
      state: 'failed' as const,
    });
    const days = toRows({
      log: { messages: [message(1), message(2, { createdAt: at(2, 21) })], hasNewer: false, hasOlder: false },
      pending: [unsent(3, 20), unsent(4, 21)] as never,
      currentUserId: me._id,
      readUntil: null,
    }).flatMap((row) => (row.kind === 'day' ? [row] : []));
    expect(days.map(({ time }) => new Date(time).getDate())).toEqual([20, 21, 20, 21]);
    expect(new Set(days.map(({ key }) => key)).size).toBe(4);
  });

  it('marks the first unread message of another user once', () => {
    const messages = [message(1), message(2, { sender: me }), message(3), message(4)];
    expect(rows(messages, 1).map(({ kind }) => kind)).toEqual([
      'day',
      'message',
      'message',
      'new',
      'message',
      'message',
    ]);
    expect(rows(messages, 4).map(({ kind }) => kind)).not.toContain('new');
  });

  it('keeps the rows of messages the same when older ones are loaded', () => {
    const yesterday = message(1, { createdAt: at(1, 19) });
    const messages = [yesterday, message(2), message(3), message(4, { sender: me }), message(20)];
    for (let loaded = 1; loaded < messages.length; loaded += 1) {
      const known = rows(messages.slice(loaded), null, true);
      expect(known.filter(({ kind }) => kind === 'message')).toHaveLength(messages.length - loaded - 1);
      expect(rows(messages).slice(-known.length || Infinity)).toEqual(known);
    }
  });

  it('merges the unread marker with a day separator at the same place', () => {
    const [first, ...others] = rows([message(1), message(2)], 0);
    expect(first).toMatchObject({ kind: 'day', isNew: true });
    expect(others.map(({ kind }) => kind)).toEqual(['message', 'message']);
  });
});

describe('chat times', () => {
  const now = new Date(2026, 10, 20, 12);
  it('show the time for today, and the day for earlier messages', () => {
    expect(activityTime(at(5), now)).toMatch(/9:05/);
    expect(activityTime(at(5, 19), now)).toBe('Yesterday');
    expect(activityTime(at(5, 16), now)).toBe(
      new Date(2026, 10, 16).toLocaleDateString(undefined, { weekday: 'short' }),
    );
    expect(dayLabel(at(5), now)).toBe('Today');
    expect(dayLabel(at(5, 19), now)).toBe('Yesterday');
  });
});

it('typing line names up to two users', () => {
  expect(typingLine([])).toBe('');
  expect(typingLine(['Lena'])).toBe('Lena is typing…');
  expect(typingLine(['Lena', 'Jonas'])).toBe('Lena and Jonas are typing…');
  expect(typingLine(['Lena', 'Jonas', 'Ines'])).toBe('Several people are typing…');
});
