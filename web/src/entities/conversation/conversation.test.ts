import { describe, expect, it } from '@jest/globals';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { withNewMessage, withRead, withSeen } from './conversation.ts';

const elsewhere = { currentUserId: 'f'.repeat(24), isSeen: false };

describe('withNewMessage', () => {
  const conversation = buildConversation({ lastSeq: 4, lastReadSeq: 4, unreadCount: 0 });

  it('marks a visible message as read, so that it is not counted as unread', () => {
    const result = withNewMessage(conversation, buildMessage(5), { currentUserId: 'f'.repeat(24), isSeen: true });
    expect(result).toMatchObject({ lastSeq: 5, lastReadSeq: 5, unreadCount: 0 });
  });

  it('adds one unread message if it is not visible, and none for its own author', () => {
    expect(withNewMessage(conversation, buildMessage(5), elsewhere)).toMatchObject({
      lastSeq: 5,
      lastReadSeq: 4,
      unreadCount: 1,
    });
    const afterOwnMessage = withNewMessage(conversation, buildMessage(5), {
      currentUserId: buildMessage(5).sender._id,
      isSeen: true,
    });
    expect(afterOwnMessage).toMatchObject({ lastSeq: 5, lastReadSeq: 4, unreadCount: 0 });
  });
});

describe('withRead', () => {
  it('clears the unread count, and ignores messages up to the read position', () => {
    const afterRead = withRead(buildConversation({ lastSeq: 4, lastReadSeq: 2, unreadCount: 2 }), 5);
    expect(afterRead).toMatchObject({ lastReadSeq: 5, unreadCount: 0 });
    const afterKnownMessage = withNewMessage(afterRead, buildMessage(5), elsewhere);
    expect(afterKnownMessage).toMatchObject({ lastSeq: 5, unreadCount: 0 });
    expect(withNewMessage(afterKnownMessage, buildMessage(6), elsewhere).unreadCount).toBe(1);
  });

  it('changes nothing if newer messages have arrived, whose count only the server knows', () => {
    const conversation = buildConversation({ lastSeq: 9, lastReadSeq: 2, unreadCount: 7 });
    expect(withRead(conversation, 5)).toBe(conversation);
  });
});

describe('withSeen', () => {
  it('limits the unread count to messages after the seen position', () => {
    const conversation = buildConversation({ lastSeq: 9, lastReadSeq: 2, unreadCount: 7 });
    expect(withSeen(conversation, 9)).toMatchObject({ lastReadSeq: 9, unreadCount: 0 });
    expect(withSeen(conversation, 8)).toMatchObject({ lastReadSeq: 8, unreadCount: 1 });
  });
});
