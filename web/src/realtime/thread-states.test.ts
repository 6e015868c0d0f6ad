import type { Thread } from '@atrium/proto-events/http/chat/messages';
import type { ThreadState } from '@atrium/proto-events/realtime';
import { describe, expect, it } from '@jest/globals';
import {
  isReplyKnown,
  NO_THREADS,
  type ThreadStates,
  threadReads,
  withoutThreads,
  withReply,
  withRoot,
  withSeenReply,
  withThreadState,
  withTotal,
} from './thread-states.ts';

const ROOT = 'a'.repeat(24);

const state = (lastSeq: number, unreadCount: number, overrides: Partial<ThreadState> = {}): ThreadState => ({
  conversation: 'c'.repeat(24),
  root: ROOT,
  followed: true,
  lastSeq,
  lastReadSeq: lastSeq - unreadCount,
  unreadCount,
  readRevision: 0,
  ...overrides,
});
const listed = (thread: Thread) => ({ _id: ROOT, conversation: 'c'.repeat(24), thread });
const followed = (lastSeq: number, unreadCount: number, total = unreadCount): ThreadStates =>
  withTotal(withThreadState(NO_THREADS, state(lastSeq, unreadCount)), total);
const unreadIn = (states: ThreadStates) => threadReads(states, ROOT).unreadCount;

describe('unread replies', () => {
  it('are those of others in followed threads, each once and in any order', () => {
    const states = followed(3, 1, 4);
    const later = withReply(withReply(withReply(states, ROOT, 5), ROOT, 4), ROOT, 5);
    expect([unreadIn(later), later.total]).toEqual([3, 6]);
  });

  it('are none in a thread that is not followed, or not known', () => {
    const states = withThreadState(NO_THREADS, state(3, 0, { followed: false }));
    expect(unreadIn(withReply(states, ROOT, 4))).toBe(0);
    expect(withReply(NO_THREADS, ROOT, 4)).toBe(NO_THREADS);
    expect([isReplyKnown(states, ROOT, 9), isReplyKnown(NO_THREADS, ROOT, 1)]).toEqual([true, false]);
  });

  it('are not counted again when a thread in the total becomes known', () => {
    const states = withRoot({ ...NO_THREADS, total: 5 }, listed({ followed: true, lastSeq: 7, unreadCount: 2 }));
    expect([unreadIn(states), states.total]).toEqual([2, 5]);
  });

  it('are read on this device at once, and stay read in a total from before the server knew', () => {
    const states = withSeenReply(followed(5, 3), ROOT, 5);
    expect([unreadIn(states), states.total]).toEqual([0, 0]);
    expect(withTotal(states, 3).total).toBe(0);
    expect(withTotal(withThreadState(states, state(5, 0)), 0).total).toBe(0);
  });

  it('are read on another device, whichever arrives first', () => {
    expect(unreadIn(withThreadState(withReply(followed(3, 1), ROOT, 4), state(4, 0)))).toBe(0);
    expect(unreadIn(withReply(withThreadState(followed(3, 1), state(4, 0)), ROOT, 4))).toBe(0);
    expect(unreadIn(withThreadState(followed(4, 0), state(3, 1)))).toBe(0);
  });

  it('end when the thread is no longer followed, even if an older response arrives later', () => {
    const states = withThreadState(followed(3, 2), state(3, 0, { followed: false }));
    expect([unreadIn(states), states.total]).toEqual([0, 0]);
    const older = withRoot(states, listed({ followed: true, lastSeq: 3, unreadCount: 2 }));
    expect([unreadIn(older), threadReads(older, ROOT).isFollowed]).toEqual([0, false]);
  });

  it('start after the existing replies when the thread is followed again', () => {
    const states = withThreadState(followed(3, 2), state(3, 0, { followed: false }));
    const again = withReply(withThreadState(states, state(4, 0)), ROOT, 5);
    expect([unreadIn(again), again.total]).toEqual([1, 1]);
  });

  it('follow the last reply of a response that includes more than what is known', () => {
    const states = withRoot(followed(3, 0), listed({ followed: true, lastSeq: 6, unreadCount: 3 }));
    expect([unreadIn(states), states.total]).toEqual([3, 3]);
    expect(withRoot(states, listed({ lastSeq: 9, replyCount: 9 }))).toBe(states);
  });
});

describe('replies that are marked as unread', () => {
  const marked = state(5, 4, { lastReadSeq: 1, readRevision: 2 });

  it('are unread after states and reads from before, in any order of arrival', () => {
    const before = state(5, 0, { readRevision: 1 });
    for (const states of [
      withThreadState(withThreadState(NO_THREADS, before), marked),
      withThreadState(withThreadState(NO_THREADS, marked), before),
      withThreadState(withSeenReply(withThreadState(NO_THREADS, before), ROOT, 5), marked),
      withRoot(
        withThreadState(NO_THREADS, marked),
        listed({ followed: true, lastSeq: 5, unreadCount: 0, readRevision: 1 }),
      ),
    ])
      expect(threadReads(states, ROOT)).toEqual({ isFollowed: true, unreadCount: 4, lastReadSeq: 1, revision: 2 });
  });

  it('are read again by a later state', () => {
    const states = withThreadState(withThreadState(NO_THREADS, marked), state(5, 0, { readRevision: 2 }));
    expect([unreadIn(states), states.total]).toEqual([0, 0]);
  });

  it('include the first one', () => {
    const states = withThreadState(NO_THREADS, state(3, 2, { lastReadSeq: 0, readRevision: 2 }));
    expect(threadReads(states, ROOT)).toMatchObject({ unreadCount: 2, lastReadSeq: 0 });
  });

  it('count nothing once the thread is no longer followed', () => {
    const states = withThreadState(withThreadState(NO_THREADS, marked), state(5, 0, { followed: false }));
    expect(unreadIn(states)).toBe(0);
  });
});

it('threads of a conversation that the user has left are forgotten with their unread replies', () => {
  const other = 'b'.repeat(24);
  const states = withThreadState(followed(9, 3, 5), state(4, 2, { root: other, conversation: 'd'.repeat(24) }));
  const left = withoutThreads(states, 'c'.repeat(24));
  expect([left.total, unreadIn(left), threadReads(left, other).unreadCount]).toEqual([2, 0, 2]);
  // After the user is added again, an earlier revision counts.
  const addedAgain = withRoot(left, listed({ followed: true, lastSeq: 9, unreadCount: 1 }));
  expect(unreadIn(addedAgain)).toBe(1);
});
