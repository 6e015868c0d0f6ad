import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  applyResponse,
  applyUpdate,
  conflictsWith,
  hasGaps,
  isMessageKnown,
  NOTHING_UNREAD,
  startRequest,
  totalUnread,
  type UnreadCounts,
  type UnreadResponse,
  type UnreadUpdate,
} from './unread-counts.ts';

const received = (conversation: string, seq: number): UnreadUpdate => ({ kind: 'received', conversation, seq });
const read = (conversation: string, seq: number): UnreadUpdate => ({ kind: 'read', conversation, seq });
const afterResponse = (response: UnreadResponse, state = NOTHING_UNREAD) =>
  applyResponse(startRequest(state), 0, response);
const ONE: UnreadResponse = { total: 2, unread: [{ conversation: 'a', count: 2, lastSeq: 9 }] };

describe('unread counts in the browser', () => {
  it("count each message of others once, and none of the user's own", () => {
    let state = afterResponse(ONE);
    for (const update of [
      received('a', 10),
      received('a', 10),
      received('b', 1),
      { ...received('b', 2), kind: 'sent' } as UnreadUpdate,
    ])
      state = applyUpdate(state, update);
    expect(totalUnread(state)).toBe(4);
    expect(state.isUncertain).toBe(false);
  });

  it('request a refetch after an out-of-order message, even in a conversation without unread messages', () => {
    const state = [received('b', 12), received('b', 11)].reduce(applyUpdate, afterResponse(ONE));
    expect(state.isUncertain).toBe(true);
    expect([received('b', 11), received('b', 11)].reduce(applyUpdate, afterResponse(ONE)).isUncertain).toBe(false);
  });

  it('count an out-of-order message that fills a gap, without a refetch', () => {
    const reversedMessages = [received('a', 11), received('a', 10)];
    const state = reversedMessages.reduce(applyUpdate, afterResponse(ONE));
    expect([totalUnread(state), state.isUncertain, hasGaps(state)]).toEqual([4, false, false]);
    expect(hasGaps(applyUpdate(afterResponse(ONE), received('a', 11)))).toBe(true);
    // The same message counts once.
    expect(totalUnread([received('a', 10), received('a', 11)].reduce(applyUpdate, state))).toBe(4);
    const afterOwnMessage = [{ ...received('a', 11), kind: 'sent' } as UnreadUpdate, received('a', 10)].reduce(
      applyUpdate,
      afterResponse(ONE),
    );
    expect([totalUnread(afterOwnMessage), afterOwnMessage.isUncertain]).toEqual([3, false]);
  });

  it('do not treat an earlier message as known because a later one arrived', () => {
    const state = applyUpdate(afterResponse(ONE), received('b', 6));
    expect(isMessageKnown(state, 'b', 5)).toBe(false);
    expect(isMessageKnown(state, 'b', 6)).toBe(true);
    // The response includes everything before it.
    expect(isMessageKnown(state, 'a', 5)).toBe(true);
    expect(isMessageKnown(afterResponse(ONE, state), 'b', 5)).toBe(true);
  });

  it('keep the highest seq that was seen', () => {
    const seen = (seq: number): UnreadUpdate => ({ kind: 'seen', conversation: 'a', seq });
    expect([seen(12), seen(11)].reduce(applyUpdate, afterResponse(ONE)).unacknowledged.get('a')).toBe(12);
  });

  it('skip messages that are read on screen immediately, and need no refetch when the server confirms the read', () => {
    const state = [read('a', 9), read('a', 10), received('a', 10), read('a', 10)].reduce(
      applyUpdate,
      afterResponse(ONE),
    );
    expect(totalUnread(state)).toBe(0);
    expect(applyUpdate(applyUpdate(state, received('a', 11)), read('a', 9)).isUncertain).toBe(false);
  });

  it('ignore responses from before the server processed a read', () => {
    const seen = (conversation: string, seq: number): UnreadUpdate => ({ kind: 'seen', conversation, seq });
    const requestedState = startRequest(applyUpdate(afterResponse(ONE), seen('a', 9)));
    // The counts are requested again, since the read may never arrive.
    expect(conflictsWith(requestedState, ONE)).toBe(true);
    expect(conflictsWith(applyUpdate(requestedState, read('a', 9)), ONE)).toBe(false);
    const outdatedState = applyResponse(requestedState, requestedState.sinceRequest.length, ONE);
    expect(totalUnread(outdatedState)).toBe(0);
    expect(outdatedState.isUncertain).toBe(false);
    // Only part may be unread: the counts are requested again after the server has processed the read.
    const laterState = applyResponse(requestedState, requestedState.sinceRequest.length, {
      total: 3,
      unread: [{ conversation: 'a', count: 3, lastSeq: 10 }],
    });
    expect(applyUpdate(laterState, read('a', 9)).isUncertain).toBe(true);
    // A lost read does not keep the counts uncertain.
    expect(afterResponse(ONE, outdatedState).isUncertain).toBe(false);
    expect(totalUnread(afterResponse(ONE, outdatedState))).toBe(2);
    // Seeing it again removes what the response restored.
    expect(totalUnread(applyUpdate(afterResponse(ONE, outdatedState), seen('a', 9)))).toBe(0);
    expect(totalUnread(applyUpdate(afterResponse(ONE, outdatedState), read('a', 9)))).toBe(0);
  });

  it('request a refetch after a partial read, a gap, or a read that may concern unlisted conversations', () => {
    expect(applyUpdate(afterResponse(ONE), read('a', 8)).isUncertain).toBe(true);
    expect(hasGaps(applyUpdate(afterResponse(ONE), received('a', 11)))).toBe(true);
    const laterState = afterResponse({ ...ONE, total: 600 });
    expect(applyUpdate(laterState, read('c', 3)).isUncertain).toBe(true);
    expect(totalUnread(applyUpdate(laterState, read('a', 9)))).toBe(598);
  });

  it('drop a deleted conversation', () => {
    expect(totalUnread(applyUpdate(afterResponse(ONE), { kind: 'removed', conversation: 'a' }))).toBe(0);
  });

  it('stay unchanged when a request fails', () => {
    const requestedState = applyUpdate(startRequest(afterResponse(ONE)), received('a', 10));
    expect(applyResponse(requestedState, 0, null)).toMatchObject({ requestsInFlight: 0, sinceRequest: [] });
    expect(totalUnread(applyResponse(requestedState, 0, null))).toBe(3);
  });

  it('match the server after any sequence of messages, reads, and requests', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(), (steps, listedCount) => {
        const { settle, totals } = simulate(steps, listedCount % 3);
        settle();
        expect(totals()).toEqual(expect.objectContaining({ total: totals().onServer }));
      }),
      { numRuns: 2_000 },
    );
  });
});

const NAMES = ['a', 'b', 'c'];
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('receive' as const), in: fc.constantFrom(...NAMES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('send' as const), in: fc.constantFrom(...NAMES) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('read' as const), in: fc.constantFrom(...NAMES), back: fc.nat(3) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hint' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('request' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('respond' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cross' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Simulates a server whose events arrive late but in order, and whose responses reflect one point in between. A response
 * lists `listedCount` conversations and one more.
 */
function simulate(steps: readonly Step[], listedCount: number) {
  const conversations = new Map(NAMES.map((name) => [name, { messages: [] as boolean[], readUpTo: 0 }]));
  const getConversation = (name: string) => conversations.get(name) ?? { messages: [], readUpTo: 0 };
  const unreadIn = (name: string) =>
    getConversation(name)
      .messages.slice(getConversation(name).readUpTo)
      .filter((isOwn) => !isOwn).length;
  const snapshot = (): UnreadResponse => {
    const unread = NAMES.map((name) => ({
      conversation: name,
      count: unreadIn(name),
      lastSeq: getConversation(name).messages.length,
    })).filter(({ count }) => count > 0);
    return { total: unread.reduce((sum, { count }) => sum + count, 0), unread: unread.slice(0, listedCount + 1) };
  };
  let state: UnreadCounts = NOTHING_UNREAD;
  let inFlight: UnreadUpdate[] = [];
  /** Hints report each message a second time, by its seq. */
  let hints: { conversation: string; seq: number }[] = [];
  /** Delivers a hint after everything that was in flight before it. */
  const hint = () => {
    const [first] = hints;
    if (!first || inFlight.some(({ conversation }) => conversation === first.conversation)) return;
    hints = hints.slice(1);
    shouldRefetch ||= !isMessageKnown(state, first.conversation, first.seq);
  };
  const requests: { from: number; response: UnreadResponse }[] = [];
  let shouldRefetch = true;
  const request = () => {
    shouldRefetch = false;
    requests.push({ from: state.sinceRequest.length, response: snapshot() });
    state = startRequest(state);
  };
  const deliver = () => {
    const [update] = inFlight.splice(0, 1);
    if (!update) return;
    state = applyUpdate(state, update);
    shouldRefetch ||= state.isUncertain;
  };
  const respond = () => {
    const [oldest] = requests.splice(0, 1);
    if (!oldest) return;
    state = applyResponse(state, oldest.from, oldest.response);
    shouldRefetch ||= state.isUncertain;
  };
  for (const step of steps) {
    if (step.do === 'receive' || step.do === 'send') {
      const seq = getConversation(step.in).messages.push(step.do === 'send');
      inFlight.push({ kind: step.do === 'send' ? 'sent' : 'received', conversation: step.in, seq });
      hints.push({ conversation: step.in, seq });
    } else if (step.do === 'read') {
      const conversation = getConversation(step.in);
      conversation.readUpTo = Math.max(conversation.readUpTo, conversation.messages.length - step.back);
      inFlight.push(read(step.in, conversation.readUpTo));
    } else if (step.do === 'deliver') deliver();
    else if (step.do === 'hint') hint();
    // Only the event reports a read.
    else if (step.do === 'drop') inFlight = inFlight.filter(({ kind }, index) => index > 0 || kind === 'read');
    // Messages from two pods arrive in reverse order.
    else if (step.do === 'cross') inFlight.splice(0, 2, ...inFlight.slice(0, 2).reverse());
    else if (step.do === 'request') request();
    else if (step.do === 'respond') respond();
    // A lost connection loses all events in flight and is followed by a refetch.
    else {
      inFlight = [];
      shouldRefetch = true;
    }
  }
  const settle = () => {
    while (inFlight.length > 0) deliver();
    shouldRefetch ||= hasGaps(state);
    while (hints.length > 0) hint();
    while (requests.length > 0) respond();
    while (shouldRefetch) {
      request();
      respond();
    }
  };
  return { settle, totals: () => ({ total: totalUnread(state), onServer: snapshot().total }) };
}
