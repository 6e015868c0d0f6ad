import { describe, expect, it } from '@jest/globals';
import { toRecipientsEvent } from './publish-recipients.ts';

const [conversation, message, user, actor] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
  string,
];

const textOf = (text?: string) =>
  toRecipientsEvent(
    {
      message: { conversation_id: conversation, conversation_type: 'group', title: 'x', message_id: message, seq: 1 },
      rootId: undefined,
      causeId: message,
      cause: { id: 'cause', occurredAt: '2026-01-01T00:00:00.000Z', requestId: 'request' },
      actorId: actor,
      text,
    },
    [{ userId: user, kind: 'mention', reason: 'mentioned', level: 'all' }],
  ).data.text;

describe('the event of recipients', () => {
  it('contains no text, unless pushes and emails show it', () => {
    expect(textOf()).toBeUndefined();
    expect(textOf('hello')).toBe('hello');
  });

  it('contains only the beginning of a text, without half a character', () => {
    expect(textOf(`${'a'.repeat(199)}😀`)).toBe(`${'a'.repeat(199)}\ufffd`);
  });
});
