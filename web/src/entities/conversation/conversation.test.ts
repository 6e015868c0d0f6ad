import { describe, expect, it } from '@jest/globals';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { withNewMessage, withUpdate } from './conversation.ts';

const readSeq = ({ lastSeq, unreadCount }: { lastSeq: number; unreadCount: number }) => lastSeq - unreadCount;

describe('withNewMessage', () => {
  const conversation = buildConversation({ lastSeq: 4, lastReadSeq: 3, unreadCount: 1 });

  it('shows the message, and keeps what was read', () => {
    const message = buildMessage(6);
    const changed = withNewMessage(conversation, message);
    expect(changed).toMatchObject({ lastMessage: message, lastSeq: 6, updatedAt: message.createdAt, lastReadSeq: 3 });
    expect(readSeq(changed)).toBe(readSeq(conversation));
  });

  it('ignores earlier messages', () => {
    expect(withNewMessage(conversation, buildMessage(4))).toBe(conversation);
    expect(withNewMessage(withNewMessage(conversation, buildMessage(6)), buildMessage(5)).lastMessage?.seq).toBe(6);
  });
});

describe('withUpdate', () => {
  const { abilities, lastReadSeq, unreadCount, ...shared } = buildConversation({
    title: 'new',
    version: 2,
    lastSeq: 4,
  });

  it('keeps newer messages, what was read, and abilities when a broadcast has an earlier copy', () => {
    const existing = withNewMessage(buildConversation({ lastSeq: 4, lastReadSeq: 3, unreadCount: 1 }), buildMessage(5));
    expect(withUpdate(existing, shared)).toMatchObject({
      title: 'new',
      version: 2,
      lastSeq: 5,
      lastMessage: existing.lastMessage,
      updatedAt: existing.updatedAt,
      lastReadSeq: 3,
      unreadCount: 2,
      abilities: existing.abilities,
    });
  });

  it("applies the user's own abilities and state if the update includes them", () => {
    const existing = buildConversation({ lastSeq: 6, lastReadSeq: 3, unreadCount: 2 });
    const personal = { abilities: { ...abilities, rename: true }, lastReadSeq: 4, unreadCount: 0 };
    const updated = withUpdate(existing, { ...shared, lastSeq: 5, ...personal });
    expect(updated).toMatchObject({ lastSeq: 6, lastReadSeq: 4, unreadCount: 1 });
    expect(updated.abilities.rename).toBe(true);
  });

  it('ignores an earlier version', () => {
    const existing = buildConversation({ version: 3 });
    expect(withUpdate(existing, shared)).toBe(existing);
  });
});
