import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  conflictsWith,
  isMessageKnown,
  hasGaps,
  NOTHING_UNREAD,
  totalUnread,
  type UnreadResponse,
  type UnreadCounts,
  type UnreadUpdate,
  applyResponse,
  applyUpdate,
  startRequest,
} from './unread-counts.ts';

const said = (conversation: string, seq: number): UnreadUpdate => ({ kind: 'received', conversation, seq });
const read = (conversation: string, seq: number): UnreadUpdate => ({ kind: 'read', conversation, seq });
const answered = (answer: UnreadResponse, known = NOTHING_UNREAD) => applyResponse(startRequest(known), 0, answer);
const ONE: UnreadResponse = { total: 2, unread: [{ conversation: 'a', count: 2, lastSeq: 9 }] };

describe('unread counts in the browser', () => {
  it('count each message of others once, and no own message', () => {
    let known = answered(ONE);
    for (const news of [said('a', 10), said('a', 10), said('b', 1), { ...said('b', 2), kind: 'sent' } as UnreadUpdate])
      known = applyUpdate(known, news);
    expect(totalUnread(known)).toBe(4);
    expect(known.isUncertain).toBe(false);
  });

  it('request a refetch after an out-of-order message, also in a conversation without unread messages', () => {
    const known = [said('b', 12), said('b', 11)].reduce(applyUpdate, answered(ONE));
    expect(known.isUncertain).toBe(true);
    expect([said('b', 11), said('b', 11)].reduce(applyUpdate, answered(ONE)).isUncertain).toBe(false);
  });

  it('count an out-of-order message that fills a gap, without a refetch', () => {
    const crossed = [said('a', 11), said('a', 10)];
    const known = crossed.reduce(applyUpdate, answered(ONE));
    expect([totalUnread(known), known.isUncertain, hasGaps(known)]).toEqual([4, false, false]);
    expect(hasGaps(applyUpdate(answered(ONE), said('a', 11)))).toBe(true);
    // The same message counts once.
    expect(totalUnread([said('a', 10), said('a', 11)].reduce(applyUpdate, known))).toBe(4);
    const own = [{ ...said('a', 11), kind: 'sent' } as UnreadUpdate, said('a', 10)].reduce(applyUpdate, answered(ONE));
    expect([totalUnread(own), own.isUncertain]).toEqual([3, false]);
  });

  it('do not treat an earlier message as known because a later one arrived', () => {
    const known = applyUpdate(answered(ONE), said('b', 6));
    expect(isMessageKnown(known, 'b', 5)).toBe(false);
    expect(isMessageKnown(known, 'b', 6)).toBe(true);
    // The response includes everything before it.
    expect(isMessageKnown(known, 'a', 5)).toBe(true);
    expect(isMessageKnown(answered(ONE, known), 'b', 5)).toBe(true);
  });

  it('keep the highest seq that was seen', () => {
    const seen = (seq: number): UnreadUpdate => ({ kind: 'seen', conversation: 'a', seq });
    expect([seen(12), seen(11)].reduce(applyUpdate, answered(ONE)).unacknowledged.get('a')).toBe(12);
  });

  it('skip messages that are read on screen immediately, and need no refetch for the echo', () => {
    const known = [read('a', 9), read('a', 10), said('a', 10), read('a', 10)].reduce(applyUpdate, answered(ONE));
    expect(totalUnread(known)).toBe(0);
    expect(applyUpdate(applyUpdate(known, said('a', 11)), read('a', 9)).isUncertain).toBe(false);
  });

  it('ignore responses from before the server processed a read', () => {
    const seen = (conversation: string, seq: number): UnreadUpdate => ({ kind: 'seen', conversation, seq });
    const asked = startRequest(applyUpdate(answered(ONE), seen('a', 9)));
    // The counts are requested again, since the read may never arrive.
    expect(conflictsWith(asked, ONE)).toBe(true);
    expect(conflictsWith(applyUpdate(asked, read('a', 9)), ONE)).toBe(false);
    const stale = applyResponse(asked, asked.sinceRequest.length, ONE);
    expect(totalUnread(stale)).toBe(0);
    expect(stale.isUncertain).toBe(false);
    // Only part may be unread: the counts are requested again after the server has processed the read.
    const more = applyResponse(asked, asked.sinceRequest.length, {
      total: 3,
      unread: [{ conversation: 'a', count: 3, lastSeq: 10 }],
    });
    expect(applyUpdate(more, read('a', 9)).isUncertain).toBe(true);
    // A lost read does not keep the counts uncertain.
    expect(answered(ONE, stale).isUncertain).toBe(false);
    expect(totalUnread(answered(ONE, stale))).toBe(2);
    // Seeing it again removes what the response restored.
    expect(totalUnread(applyUpdate(answered(ONE, stale), seen('a', 9)))).toBe(0);
    expect(totalUnread(applyUpdate(answered(ONE, stale), read('a', 9)))).toBe(0);
  });

  it('request a refetch after a partial read, a gap, or a read that may concern unlisted conversations', () => {
    expect(applyUpdate(answered(ONE), read('a', 8)).isUncertain).toBe(true);
    expect(hasGaps(applyUpdate(answered(ONE), said('a', 11)))).toBe(true);
    const more = answered({ ...ONE, total: 600 });
    expect(applyUpdate(more, read('c', 3)).isUncertain).toBe(true);
    expect(totalUnread(applyUpdate(more, read('a', 9)))).toBe(598);
  });

  it('drop a deleted conversation', () => {
    expect(totalUnread(applyUpdate(answered(ONE), { kind: 'removed', conversation: 'a' }))).toBe(0);
  });

  it('stay as they are when a request fails', () => {
    const asked = applyUpdate(startRequest(answered(ONE)), said('a', 10));
    expect(applyResponse(asked, 0, null)).toMatchObject({ questions: 0, sinceAsked: [] });
    expect(totalUnread(applyResponse(asked, 0, null))).toBe(3);
  });

  it('match the server after any sequence of messages, reads, and requests', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(), (steps, least) => {
        const { settle, know } = play(steps, least % 3);
        settle();
        expect(know()).toEqual(expect.objectContaining({ total: know().ofServer }));
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
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hear' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hint' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('answer' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cross' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * A server whose events arrive late but in order, and whose responses are taken at one point in between. `named`: how
 * many conversations a response lists.
 */
function play(steps: readonly Step[], named: number) {
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
  let known: UnreadCounts = NOTHING_UNREAD;
  let onTheWay: UnreadUpdate[] = [];
  /** Each message is reported a second time, by its seq. */
  let hints: { conversation: string; seq: number }[] = [];
  /** Delivered after everything in flight before it. */
  const hint = () => {
    const [first] = hints;
    if (!first || onTheWay.some(({ conversation }) => conversation === first.conversation)) return;
    hints = hints.slice(1);
    isToAsk ||= !isMessageKnown(known, first.conversation, first.seq);
  };
  const questions: { from: number; answer: UnreadResponse }[] = [];
  let isToAsk = true;
  const ask = () => {
    isToAsk = false;
    questions.push({ from: known.sinceRequest.length, answer: snapshot() });
    known = startRequest(known);
  };
  const hear = () => {
    const [news] = onTheWay.splice(0, 1);
    if (!news) return;
    known = applyUpdate(known, news);
    isToAsk ||= known.isUncertain;
  };
  const answer = () => {
    const [question] = questions.splice(0, 1);
    if (!question) return;
    known = applyResponse(known, question.from, question.answer);
    isToAsk ||= known.isUncertain;
  };
  for (const given of steps) {
    if (given.do === 'say' || given.do === 'send') {
      const seq = of(given.in).messages.push(given.do === 'send');
      onTheWay.push({ kind: given.do === 'send' ? 'sent' : 'received', conversation: given.in, seq });
      hints.push({ conversation: given.in, seq });
    } else if (given.do === 'read') {
      const one = of(given.in);
      one.readUpTo = Math.max(one.readUpTo, one.messages.length - given.back);
      onTheWay.push(read(given.in, one.readUpTo));
    } else if (given.do === 'hear') hear();
    else if (given.do === 'hint') hint();
    // Only the event reports a read.
    else if (given.do === 'drop') onTheWay = onTheWay.filter(({ kind }, index) => index > 0 || kind === 'read');
    // Messages from two pods arrive in reverse order.
    else if (given.do === 'cross') onTheWay.splice(0, 2, ...onTheWay.slice(0, 2).reverse());
    else if (given.do === 'ask') ask();
    else if (given.do === 'answer') answer();
    // A lost connection loses all events in flight and is followed by a refetch.
    else [onTheWay, isToAsk] = [[], true];
  }
  const settle = () => {
    while (onTheWay.length > 0) hear();
    isToAsk ||= hasGaps(known);
    while (hints.length > 0) hint();
    while (questions.length > 0) answer();
    while (isToAsk) {
      ask();
      answer();
    }
  };
  return { settle, know: () => ({ total: totalUnread(known), ofServer: snapshot().total }) };
}
