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
  it('count each message of others once, and no own message', () => {
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

  it('request a refetch after an out-of-order message, also in a conversation without unread messages', () => {
    const state = [received('b', 12), received('b', 11)].reduce(applyUpdate, afterResponse(ONE));
    expect(state.isUncertain).toBe(true);
    expect([received('b', 11), received('b', 11)].reduce(applyUpdate, afterResponse(ONE)).isUncertain).toBe(false);
  });

  it('count an out-of-order message that fills a gap, without a refetch', () => {
    const crossed = [received('a', 11), received('a', 10)];
    const state = crossed.reduce(applyUpdate, afterResponse(ONE));
    expect([totalUnread(state), state.isUncertain, hasGaps(state)]).toEqual([4, false, false]);
    expect(hasGaps(applyUpdate(afterResponse(ONE), received('a', 11)))).toBe(true);
    // The same message counts once.
    expect(totalUnread([received('a', 10), received('a', 11)].reduce(applyUpdate, state))).toBe(4);
    const own = [{ ...received('a', 11), kind: 'sent' } as UnreadUpdate, received('a', 10)].reduce(
      applyUpdate,
      afterResponse(ONE),
    );
    expect([totalUnread(own), own.isUncertain]).toEqual([3, false]);
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

  it('skip messages that are read on screen immediately, and need no refetch for the echo', () => {
    const state = [read('a', 9), read('a', 10), received('a', 10), read('a', 10)].reduce(
      applyUpdate,
      afterResponse(ONE),
    );
    expect(totalUnread(state)).toBe(0);
    expect(applyUpdate(applyUpdate(state, received('a', 11)), read('a', 9)).isUncertain).toBe(false);
  });

  it('ignore responses from before the server processed a read', () => {
    const seen = (conversation: string, seq: number): UnreadUpdate => ({ kind: 'seen', conversation, seq });
    const requested = startRequest(applyUpdate(afterResponse(ONE), seen('a', 9)));
    // The counts are requested again, since the read may never arrive.
    expect(conflictsWith(requested, ONE)).toBe(true);
    expect(conflictsWith(applyUpdate(requested, read('a', 9)), ONE)).toBe(false);
    const stale = applyResponse(requested, requested.sinceRequest.length, ONE);
    expect(totalUnread(stale)).toBe(0);
    expect(stale.isUncertain).toBe(false);
    // Only part may be unread: the counts are requested again after the server has processed the read.
    const more = applyResponse(requested, requested.sinceRequest.length, {
      total: 3,
      unread: [{ conversation: 'a', count: 3, lastSeq: 10 }],
    });
    expect(applyUpdate(more, read('a', 9)).isUncertain).toBe(true);
    // A lost read does not keep the counts uncertain.
    expect(afterResponse(ONE, stale).isUncertain).toBe(false);
    expect(totalUnread(afterResponse(ONE, stale))).toBe(2);
    // Seeing it again removes what the response restored.
    expect(totalUnread(applyUpdate(afterResponse(ONE, stale), seen('a', 9)))).toBe(0);
    expect(totalUnread(applyUpdate(afterResponse(ONE, stale), read('a', 9)))).toBe(0);
  });

  it('request a refetch after a partial read, a gap, or a read that may concern unlisted conversations', () => {
    expect(applyUpdate(afterResponse(ONE), read('a', 8)).isUncertain).toBe(true);
    expect(hasGaps(applyUpdate(afterResponse(ONE), received('a', 11)))).toBe(true);
    const more = afterResponse({ ...ONE, total: 600 });
    expect(applyUpdate(more, read('c', 3)).isUncertain).toBe(true);
    expect(totalUnread(applyUpdate(more, read('a', 9)))).toBe(598);
  });

  it('drop a deleted conversation', () => {
    expect(totalUnread(applyUpdate(afterResponse(ONE), { kind: 'removed', conversation: 'a' }))).toBe(0);
  });

  it('stay as they are when a request fails', () => {
    const requested = applyUpdate(startRequest(afterResponse(ONE)), received('a', 10));
    expect(applyResponse(requested, 0, null)).toMatchObject({ requestsInFlight: 0, sinceRequest: [] });
    expect(totalUnread(applyResponse(requested, 0, null))).toBe(3);
  });

  it('match the server after any sequence of messages, reads, and requests', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(), (steps, unnamed) => {
        const { settle, totals } = simulate(steps, unnamed % 3);
        settle();
        expect(totals()).toEqual(expect.objectContaining({ total: totals().onServer }));
      }),
      { numRuns: 2_000 },
    );
  });
});

const NAMES = ['a', 'b', 'c'];
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), in: fc.constantFrom(...NAMES) }) },
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
 * A server whose events arrive late but in order, and whose responses are taken at one point in between. `named`: how
 * many conversations a response lists.
 */
function simulate(steps: readonly Step[], named: number) {
  const all = new Map(NAMES.map((name) => [name, { messages: [] as boolean[], readUpTo: 0 }]));
  const of = (name: string) => all.get(name) ?? { messages: [], readUpTo: 0 };
  const unreadIn = (name: string) =>
    of(name)
      .messages.slice(of(name).readUpTo)
      .filter((isOwn) => !isOwn).length;
  const snapshot = (): UnreadResponse => {
    const unread = NAMES.map((name) => ({
      conversation: name,
      count: unreadIn(name),
      lastSeq: of(name).messages.length,
    })).filter(({ count }) => count > 0);
    return { total: unread.reduce((sum, { count }) => sum + count, 0), unread: unread.slice(0, named + 1) };
  };
  let state: UnreadCounts = NOTHING_UNREAD;
  let inFlight: UnreadUpdate[] = [];
  /** Each message is reported a second time, by its seq. */
  let hints: { conversation: string; seq: number }[] = [];
  /** Delivered after everything in flight before it. */
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
    if (step.do === 'say' || step.do === 'send') {
      const seq = of(step.in).messages.push(step.do === 'send');
      inFlight.push({ kind: step.do === 'send' ? 'sent' : 'received', conversation: step.in, seq });
      hints.push({ conversation: step.in, seq });
    } else if (step.do === 'read') {
      const one = of(step.in);
      one.readUpTo = Math.max(one.readUpTo, one.messages.length - step.back);
      inFlight.push(read(step.in, one.readUpTo));
    } else if (step.do === 'deliver') deliver();
    else if (step.do === 'hint') hint();
    // Only the event reports a read.
    else if (step.do === 'drop') inFlight = inFlight.filter(({ kind }, index) => index > 0 || kind === 'read');
    // Messages from two pods arrive in reverse order.
    else if (step.do === 'cross') inFlight.splice(0, 2, ...inFlight.slice(0, 2).reverse());
    else if (step.do === 'request') request();
    else if (step.do === 'respond') respond();
    // A lost connection loses all events in flight and is followed by a refetch.
    else [inFlight, shouldRefetch] = [[], true];
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
