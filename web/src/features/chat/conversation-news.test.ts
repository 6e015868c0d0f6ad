import { describe, expect, it } from '@jest/globals';
import { withNews, withRead } from './conversation-news.ts';
import { aConversation } from './test/a-conversation.ts';
import { aMessage } from './test/a-message.ts';

const elsewhere = { me: 'f'.repeat(24), isSeen: false };

describe('a conversation that was read in another tab', () => {
  it('has nothing unread, and counts no message that comes here after it was read there', () => {
    const read = withRead(aConversation({ lastSeq: 4, lastReadSeq: 2, unreadCount: 2 }), 5);
    expect(read).toMatchObject({ lastReadSeq: 5, unreadCount: 0 });
    const later = withNews(read, aMessage(5), elsewhere);
    expect(later).toMatchObject({ lastSeq: 5, unreadCount: 0 });
    expect(withNews(later, aMessage(6), elsewhere).unreadCount).toBe(1);
  });

  it('is left to the server where something came since', () => {
    const known = aConversation({ lastSeq: 9, lastReadSeq: 2, unreadCount: 7 });
    expect(withRead(known, 5)).toBe(known);
  });
});
