import { describe, expect, it } from '@jest/globals';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { withNewMessage, withRead, withSeen } from './conversation.ts';

const elsewhere = { me: 'f'.repeat(24), isSeen: false };

describe('withNewMessage', () => {
  const known = buildConversation({ lastSeq: 4, lastReadSeq: 4, unreadCount: 0 });

  it('marks a visible message as read, so that it is not counted as unread', () => {
    const message = withNewMessage(known, buildMessage(5), { me: 'f'.repeat(24), isSeen: true });
    expect(message).toMatchObject({ lastSeq: 5, lastReadSeq: 5, unreadCount: 0 });
  });

  it('adds one unread message if it is not visible, and none for its own author', () => {
    expect(withNewMessage(known, buildMessage(5), elsewhere)).toMatchObject({
      lastSeq: 5,
      lastReadSeq: 4,
      unreadCount: 1,
    });
    const own = withNewMessage(known, buildMessage(5), { me: buildMessage(5).sender._id, isSeen: true });
    expect(own).toMatchObject({ lastSeq: 5, lastReadSeq: 4, unreadCount: 0 });
  });
});

describe('withRead', () => {
  it('clears the unread count, and ignores messages up to the read position', () => {
    const read = withRead(buildConversation({ lastSeq: 4, lastReadSeq: 2, unreadCount: 2 }), 5);
    expect(read).toMatchObject({ lastReadSeq: 5, unreadCount: 0 });
    const later = withNewMessage(read, buildMessage(5), elsewhere);
    expect(later).toMatchObject({ lastSeq: 5, unreadCount: 0 });
    expect(withNewMessage(later, buildMessage(6), elsewhere).unreadCount).toBe(1);
  });

  it('leaves the count to the server if something arrived since', () => {
    const known = buildConversation({ lastSeq: 9, lastReadSeq: 2, unreadCount: 7 });
    expect(withRead(known, 5)).toBe(known);
  });
});

describe('withSeen', () => {
  it('limits the unread count to what arrived since the seen position', () => {
    const known = buildConversation({ lastSeq: 9, lastReadSeq: 2, unreadCount: 7 });
    expect(withSeen(known, 9)).toMatchObject({ lastReadSeq: 9, unreadCount: 0 });
    expect(withSeen(known, 8)).toMatchObject({ lastReadSeq: 8, unreadCount: 1 });
  });
});
