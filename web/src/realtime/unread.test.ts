import type { ReadState } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { NOTHING_UNREAD, type UnreadResponse } from './read-states.ts';
import { createUnread } from './unread.ts';

const ME = buildUser('e');
const NOTHING: UnreadResponse = { total: 0, threads: 0, unread: [] };
const TWO_IN_A: UnreadResponse = {
  total: 2,
  threads: 0,
  unread: [{ conversation: 'a', count: 2, lastSeq: 9, readRevision: 0, mentions: [] }],
};

function open() {
  let states = NOTHING_UNREAD;
  const unread = createUnread({
    owner: () => ME._id,
    get: () => states,
    change(_owner, edit) {
      states = edit(states);
      return states;
    },
  });
  const events = unread.eventsOf(() => ME._id);
  return {
    unread,
    events,
    respond: (response: UnreadResponse) => unread.request(async () => response),
    receive(conversation: string, ...seqs: number[]) {
      for (const seq of seqs)
        events['message:new']({ message: buildMessage(seq, { conversation, sender: buildUser('b') }) });
    },
    send: (conversation: string, seq: number, unreadCount?: number) =>
      events['message:new']({
        message: buildMessage(seq, { conversation, sender: ME }),
        ...(unreadCount !== undefined && { unreadCount }),
      }),
    state: (conversation: string, state: Omit<ReadState, 'conversation'>) =>
      events['conversation:state']({ conversation, ...state }),
  };
}

describe('unread messages', () => {
  it("are those of others, each once and in any order, and not the user's own", async () => {
    const { unread, respond, receive, send } = open();
    await respond(TWO_IN_A);
    receive('a', 11, 10, 10);
    expect(unread.total()).toBe(4);
    send('a', 12, 4);
    expect(unread.total()).toBe(4);
    receive('b', 7, 6);
    expect(unread.total()).toBe(6);
    send('b', 8, 2);
    expect(unread.total()).toBe(6);
  });

  it('of muted conversations do not count in the total, from the time they are muted', async () => {
    const { unread, events, respond, receive } = open();
    await respond({ ...TWO_IN_A, total: 0, muted: ['a'] });
    receive('a', 10);
    receive('b', 7);
    expect(unread.total()).toBe(1);
    const mute = (conversation: string, notify: 'all' | 'none') =>
      events['conversation:preferences']({
        conversation,
        preferences: { notify, starred: false, hidden: false, section: null },
      });
    mute('b', 'none');
    expect(unread.total()).toBe(0);
    mute('a', 'all');
    expect(unread.total()).toBe(3);
    const request = unread.request(async () => ({ ...TWO_IN_A, total: 0, muted: ['a'] }));
    mute('a', 'all');
    await request;
    expect(unread.total()).toBe(3);
  });

  it('are none after a read on another device, whichever arrives first', async () => {
    const { unread, respond, receive, state } = open();
    await respond(TWO_IN_A);
    state('a', { lastSeq: 10, lastReadSeq: 10, unreadCount: 0, readRevision: 0 });
    expect(unread.total()).toBe(0);
    receive('a', 10);
    expect(unread.total()).toBe(0);
    receive('a', 11);
    state('a', { lastSeq: 10, lastReadSeq: 10, unreadCount: 0, readRevision: 0 });
    expect(unread.total()).toBe(1);
  });

  it('are not those that this device has shown, even in a response from before the server knew', async () => {
    const { unread, respond, receive } = open();
    await respond(TWO_IN_A);
    unread.recordSeen('a', 10);
    receive('a', 10);
    await respond(TWO_IN_A);
    expect(unread.total()).toBe(0);
    receive('a', 11);
    expect(unread.total()).toBe(1);
  });

  it('do not include those that were missed and read elsewhere', async () => {
    const { unread, respond, receive } = open();
    await respond(TWO_IN_A);
    // On another device, everything up to 49 is read while this one is offline.
    await respond(NOTHING);
    receive('a', 50);
    expect(unread.total()).toBe(1);
  });

  it('include those that arrived during the request', async () => {
    const { unread, respond, receive } = open();
    await respond(TWO_IN_A);
    const response = Promise.withResolvers<UnreadResponse>();
    const request = unread.request(() => response.promise);
    receive('a', 51, 50);
    response.resolve(NOTHING);
    await request;
    expect(unread.total()).toBe(2);
  });

  it('are those of the latest request, in whichever order the responses arrive', async () => {
    const { unread, respond, receive } = open();
    const response = Promise.withResolvers<UnreadResponse>();
    const slowRequest = unread.request(() => response.promise);
    await respond(NOTHING);
    receive('a', 50);
    response.resolve(TWO_IN_A);
    await slowRequest;
    expect(unread.total()).toBe(1);
  });

  it('stay as they are when a request fails', async () => {
    const { unread, respond } = open();
    await respond(TWO_IN_A);
    await expect(unread.request(() => Promise.reject(new Error('Not now')))).rejects.toThrow('Not now');
    expect(unread.total()).toBe(2);
  });

  it('are none in a conversation that is deleted or left, and start over when the user is added again', async () => {
    const { unread, events, respond, receive } = open();
    await respond({
      total: 4,
      threads: 0,
      unread: [...TWO_IN_A.unread, { conversation: 'b', count: 2, lastSeq: 2, readRevision: 0, mentions: [] }],
    });
    const removal = (user: ReturnType<typeof buildUser>) =>
      events['conversation:participant_removed']({ conversation: 'a', removedUserId: user._id, user });
    removal(buildUser('b'));
    expect(unread.total()).toBe(4);
    removal(ME);
    expect(unread.total()).toBe(2);
    events['conversation:deleted']({ conversation: 'b' });
    expect(unread.total()).toBe(0);
    receive('a', 50);
    expect(unread.total()).toBe(1);
  });

  it('have the same counts in a list as in total', async () => {
    const { unread, respond, receive } = open();
    const listed = buildConversation({ _id: 'a', lastSeq: 9, lastReadSeq: 4, unreadCount: 5 });
    // Before anything else is known, the list shows its own numbers.
    expect([unread.countIn(listed), unread.lastReadSeqIn(listed)]).toEqual([5, 4]);
    await respond({
      total: 5,
      threads: 0,
      unread: [{ conversation: 'a', count: 5, lastSeq: 9, readRevision: 0, mentions: [] }],
    });
    expect([unread.countIn(listed), unread.lastReadSeqIn(listed)]).toEqual([5, 4]);
    unread.recordListed([listed]);
    expect(unread.total()).toBe(5);
    receive('a', 10);
    unread.recordSeen('a', 7);
    unread.recordListed([listed]);
    expect([unread.countIn(listed), unread.lastReadSeqIn(listed), unread.total()]).toEqual([3, 7, 3]);
    await respond(NOTHING);
    expect([unread.countIn(listed), unread.lastReadSeqIn(listed), unread.total()]).toEqual([0, 10, 0]);
  });
});

describe('isMessageKnown', () => {
  it('is false for an earlier message than the first one of a conversation that was read', async () => {
    const { unread, respond, receive } = open();
    await respond(TWO_IN_A);
    receive('b', 6);
    expect([5, 6, 7].map((seq) => unread.isMessageKnown('b', seq))).toEqual([false, true, false]);
    // The response includes everything before it.
    expect([5, 9, 10].map((seq) => unread.isMessageKnown('a', seq))).toEqual([true, true, false]);
    await respond(TWO_IN_A);
    expect([5, 6, 7].map((seq) => unread.isMessageKnown('b', seq))).toEqual([true, true, false]);
  });
});
