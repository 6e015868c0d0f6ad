import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  conflictsWith,
  isHeard,
  misses,
  NOTHING_UNREAD,
  totalOf,
  type UnreadAnswer,
  type UnreadCounts,
  type UnreadNews,
  withAnswer,
  withNews,
  withQuestion,
} from './unread-counts.ts';

const said = (conversation: string, seq: number): UnreadNews => ({ kind: 'said', conversation, seq });
const read = (conversation: string, seq: number): UnreadNews => ({ kind: 'read', conversation, seq });
const answered = (answer: UnreadAnswer, known = NOTHING_UNREAD) => withAnswer(withQuestion(known), 0, answer);
const ONE: UnreadAnswer = { total: 2, unread: [{ conversation: 'a', count: 2, lastSeq: 9 }] };

describe('unread messages, counted by the browser', () => {
  it('goes up by what others say, once each, and not by what one says oneself', () => {
    let known = answered(ONE);
    for (const news of [said('a', 10), said('a', 10), said('b', 1), { ...said('b', 2), kind: 'sent' } as UnreadNews])
      known = withNews(known, news);
    expect(totalOf(known)).toBe(4);
    expect(known.isUncertain).toBe(false);
  });

  it('asks where one comes that a later one has overtaken, in a conversation that had nothing unread, too', () => {
    const known = [said('b', 12), said('b', 11)].reduce(withNews, answered(ONE));
    expect(known.isUncertain).toBe(true);
    expect([said('b', 11), said('b', 11)].reduce(withNews, answered(ONE)).isUncertain).toBe(false);
  });

  it('counts one that comes a moment after the one that was said after it, and asks for nothing', () => {
    const crossed = [said('a', 11), said('a', 10)];
    const known = crossed.reduce(withNews, answered(ONE));
    expect([totalOf(known), known.isUncertain, misses(known)]).toEqual([4, false, false]);
    expect(misses(withNews(answered(ONE), said('a', 11)))).toBe(true);
    // A second time it is none.
    expect(totalOf([said('a', 10), said('a', 11)].reduce(withNews, known))).toBe(4);
    const own = [{ ...said('a', 11), kind: 'sent' } as UnreadNews, said('a', 10)].reduce(withNews, answered(ONE));
    expect([totalOf(own), own.isUncertain]).toEqual([3, false]);
  });

  it('does not take a message for heard because a later one came, in a conversation that had nothing unread', () => {
    const known = withNews(answered(ONE), said('b', 6));
    expect(isHeard(known, 'b', 5)).toBe(false);
    expect(isHeard(known, 'b', 6)).toBe(true);
    // Whatever was there when the server answered is in the answer.
    expect(isHeard(known, 'a', 5)).toBe(true);
    expect(isHeard(answered(ONE, known), 'b', 5)).toBe(true);
  });

  it('keeps for seen what was seen furthest', () => {
    const seen = (seq: number): UnreadNews => ({ kind: 'seen', conversation: 'a', seq });
    expect([seen(12), seen(11)].reduce(withNews, answered(ONE)).unacknowledged.get('a')).toBe(12);
  });

  it('does not count what the screen has read in the same moment, and takes no echo of that for a question', () => {
    const known = [read('a', 9), read('a', 10), said('a', 10), read('a', 10)].reduce(withNews, answered(ONE));
    expect(totalOf(known)).toBe(0);
    expect(withNews(withNews(known, said('a', 11)), read('a', 9)).isUncertain).toBe(false);
  });

  it('believes no answer of before the server has heard what was seen here', () => {
    const seen = (conversation: string, seq: number): UnreadNews => ({ kind: 'seen', conversation, seq });
    const asked = withQuestion(withNews(answered(ONE), seen('a', 9)));
    // It is asked once more then: what was seen may never be told.
    expect(conflictsWith(asked, ONE)).toBe(true);
    expect(conflictsWith(withNews(asked, read('a', 9)), ONE)).toBe(false);
    const stale = withAnswer(asked, asked.sinceAsked.length, ONE);
    expect(totalOf(stale)).toBe(0);
    expect(stale.isUncertain).toBe(false);
    // What came last may be all that is unread, or not: that is asked for once the server has heard.
    const more = withAnswer(asked, asked.sinceAsked.length, {
      total: 3,
      unread: [{ conversation: 'a', count: 3, lastSeq: 10 }],
    });
    expect(withNews(more, read('a', 9)).isUncertain).toBe(true);
    // One that it never hears of is not doubted for ever.
    expect(answered(ONE, stale).isUncertain).toBe(false);
    expect(totalOf(answered(ONE, stale))).toBe(2);
    // It is seen once more then, and what was put back goes.
    expect(totalOf(withNews(answered(ONE, stale), seen('a', 9)))).toBe(0);
    expect(totalOf(withNews(answered(ONE, stale), read('a', 9)))).toBe(0);
  });

  it('asks again where only a part was read, where something in between is missing, and where the rest may be meant', () => {
    expect(withNews(answered(ONE), read('a', 8)).isUncertain).toBe(true);
    expect(misses(withNews(answered(ONE), said('a', 11)))).toBe(true);
    const more = answered({ ...ONE, total: 600 });
    expect(withNews(more, read('c', 3)).isUncertain).toBe(true);
    expect(totalOf(withNews(more, read('a', 9)))).toBe(598);
  });

  it('forgets a conversation that is gone', () => {
    expect(totalOf(withNews(answered(ONE), { kind: 'gone', conversation: 'a' }))).toBe(0);
  });

  it('goes on with what it has where no answer comes', () => {
    const asked = withNews(withQuestion(answered(ONE)), said('a', 10));
    expect(withAnswer(asked, 0, null)).toMatchObject({ questions: 0, sinceAsked: [] });
    expect(totalOf(withAnswer(asked, 0, null))).toBe(3);
  });

  it('is what the server has, whatever is said and read, in whichever moment it is asked', () => {
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

/** A server whose news come in order, though later, and whose answers are of a moment in between. `named`: how many it names by themselves. */
function play(steps: readonly Step[], named: number) {
  const all = new Map(NAMES.map((name) => [name, { messages: [] as boolean[], readUpTo: 0 }]));
  const of = (name: string) => all.get(name) ?? { messages: [], readUpTo: 0 };
  const unreadIn = (name: string) =>
    of(name)
      .messages.slice(of(name).readUpTo)
      .filter((isOwn) => !isOwn).length;
  const snapshot = (): UnreadAnswer => {
    const unread = NAMES.map((name) => ({
      conversation: name,
      count: unreadIn(name),
      lastSeq: of(name).messages.length,
    })).filter(({ count }) => count > 0);
    return { total: unread.reduce((sum, { count }) => sum + count, 0), unread: unread.slice(0, named + 1) };
  };
  let known: UnreadCounts = NOTHING_UNREAD;
  let onTheWay: UnreadNews[] = [];
  /** Each message is told of a second time, by its seq alone. */
  let hints: { conversation: string; seq: number }[] = [];
  /** Each waits for what is on the way before it. */
  const hint = () => {
    const [first] = hints;
    if (!first || onTheWay.some(({ conversation }) => conversation === first.conversation)) return;
    hints = hints.slice(1);
    isToAsk ||= !isHeard(known, first.conversation, first.seq);
  };
  const questions: { from: number; answer: UnreadAnswer }[] = [];
  let isToAsk = true;
  const ask = () => {
    isToAsk = false;
    questions.push({ from: known.sinceAsked.length, answer: snapshot() });
    known = withQuestion(known);
  };
  const hear = () => {
    const [news] = onTheWay.splice(0, 1);
    if (!news) return;
    known = withNews(known, news);
    isToAsk ||= known.isUncertain;
  };
  const answer = () => {
    const [question] = questions.splice(0, 1);
    if (!question) return;
    known = withAnswer(known, question.from, question.answer);
    isToAsk ||= known.isUncertain;
  };
  for (const given of steps) {
    if (given.do === 'say' || given.do === 'send') {
      const seq = of(given.in).messages.push(given.do === 'send');
      onTheWay.push({ kind: given.do === 'send' ? 'sent' : 'said', conversation: given.in, seq });
      hints.push({ conversation: given.in, seq });
    } else if (given.do === 'read') {
      const one = of(given.in);
      one.readUpTo = Math.max(one.readUpTo, one.messages.length - given.back);
      onTheWay.push(read(given.in, one.readUpTo));
    } else if (given.do === 'hear') hear();
    else if (given.do === 'hint') hint();
    // What was read is heard of by nothing else.
    else if (given.do === 'drop') onTheWay = onTheWay.filter(({ kind }, index) => index > 0 || kind === 'read');
    // Two pods tell of two messages, and the second is there first.
    else if (given.do === 'cross') onTheWay.splice(0, 2, ...onTheWay.slice(0, 2).reverse());
    else if (given.do === 'ask') ask();
    else if (given.do === 'answer') answer();
    // A connection that was lost brings nothing of it, and is asked after.
    else [onTheWay, isToAsk] = [[], true];
  }
  const settle = () => {
    while (onTheWay.length > 0) hear();
    isToAsk ||= misses(known);
    while (hints.length > 0) hint();
    while (questions.length > 0) answer();
    while (isToAsk) {
      ask();
      answer();
    }
  };
  return { settle, know: () => ({ total: totalOf(known), ofServer: snapshot().total }) };
}
