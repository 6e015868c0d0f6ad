import { describe, expect, it } from '@jest/globals';
import { buildConversation } from '../../../test/a-conversation.ts';
import { buildMessage } from '../../../test/a-message.ts';
import { withNews, withRead, withSeen } from './conversation-reducers.ts';

const elsewhere = { me: 'f'.repeat(24), isSeen: false };

describe('a conversation in which something is said', () => {
  const known = buildConversation({ lastSeq: 4, lastReadSeq: 4, unreadCount: 0 });

  it('is read up to there where it is in sight, so that nothing counts it as unread that the server takes for read', () => {
    const news = withNews(known, buildMessage(5), { me: 'f'.repeat(24), isSeen: true });
    expect(news).toMatchObject({ lastSeq: 5, lastReadSeq: 5, unreadCount: 0 });
  });

  it('has one unread more where it is not, and none where its reader said it', () => {
    expect(withNews(known, buildMessage(5), elsewhere)).toMatchObject({ lastSeq: 5, lastReadSeq: 4, unreadCount: 1 });
    const own = withNews(known, buildMessage(5), { me: buildMessage(5).sender._id, isSeen: true });
    expect(own).toMatchObject({ lastSeq: 5, lastReadSeq: 4, unreadCount: 0 });
  });
});

describe('a conversation that was read in another tab', () => {
  it('has nothing unread, and counts no message that comes here after it was read there', () => {
    const read = withRead(buildConversation({ lastSeq: 4, lastReadSeq: 2, unreadCount: 2 }), 5);
    expect(read).toMatchObject({ lastReadSeq: 5, unreadCount: 0 });
    const later = withNews(read, buildMessage(5), elsewhere);
    expect(later).toMatchObject({ lastSeq: 5, unreadCount: 0 });
    expect(withNews(later, buildMessage(6), elsewhere).unreadCount).toBe(1);
  });

  it('is left to the server where something came since', () => {
    const known = buildConversation({ lastSeq: 9, lastReadSeq: 2, unreadCount: 7 });
    expect(withRead(known, 5)).toBe(known);
  });
});

describe('a conversation that was seen here', () => {
  it('has at most as many unread as came since, in an answer that knows of more', () => {
    const known = buildConversation({ lastSeq: 9, lastReadSeq: 2, unreadCount: 7 });
    expect(withSeen(known, 9)).toMatchObject({ lastReadSeq: 9, unreadCount: 0 });
    expect(withSeen(known, 8)).toMatchObject({ lastReadSeq: 8, unreadCount: 1 });
  });
});
