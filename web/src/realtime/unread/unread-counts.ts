import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getUnread } from '@atrium/proto-events/http/chat';

export type UnreadAnswer = ResponseOf<typeof getUnread>;

/**
 * `said` by somebody else, `sent` by oneself; `read` up to there on any device, as the server says, or `seen` on this screen, which the
 * server is yet to hear of; `gone` is a conversation, or is not one's own any more.
 */
export type UnreadNews =
  | { kind: 'said' | 'sent' | 'read' | 'seen'; conversation: string; seq: number }
  | { kind: 'gone'; conversation: string };

type Count = { count: number; lastSeq: number };

/** What is unread, as the last answer has it with all that came since. */
export type UnreadCounts = {
  counts: ReadonlyMap<string, Count>;
  /** Unread messages of conversations that the answer does not name. */
  rest: number;
  /** The last seq of each conversation that has come to this browser. */
  knownSeqs: ReadonlyMap<string, number>;
  /** The first seq that has come of a conversation of which no answer has said what was there before. */
  heardFrom: ReadonlyMap<string, number>;
  /** Messages that no answer has counted, and that may be on their way: what was said after them came first. */
  gaps: readonly { conversation: string; seq: number }[];
  /** Up to where each conversation was read, as far as this browser has heard of it. */
  read: ReadonlyMap<string, number>;
  /** Up to where it was seen here, while the server may not have heard of it: an answer of before has it as unread. */
  unacknowledged: ReadonlyMap<string, number>;
  /** What came while a question is under way: its answer may have it, or not. */
  sinceAsked: readonly UnreadNews[];
  questions: number;
  /** Something came that cannot be counted from here: ask again. */
  isUncertain: boolean;
};

export const NOTHING_UNREAD: UnreadCounts = {
  counts: new Map(),
  rest: 0,
  knownSeqs: new Map(),
  heardFrom: new Map(),
  gaps: [],
  read: new Map(),
  unacknowledged: new Map(),
  sinceAsked: [],
  questions: 0,
  isUncertain: false,
};

/** So many messages that are passed over at once are not waited for. */
const MOST_MISSING = 20;

export const totalOf = ({ counts, rest }: UnreadCounts): number =>
  [...counts.values()].reduce((total, { count }) => total + count, rest);

/** Whether a message has come, or was there when the server answered. */
export const isHeard = (known: UnreadCounts, conversation: string, seq: number): boolean =>
  isReached(known, conversation, seq) && (known.heardFrom.get(conversation) ?? 0) <= seq;

const isReached = ({ knownSeqs }: UnreadCounts, conversation: string, seq: number): boolean =>
  (knownSeqs.get(conversation) ?? 0) >= seq;

/** The counts after something that the socket, or a screen, has told. What comes twice counts once. */
export function withNews(known: UnreadCounts, news: UnreadNews): UnreadCounts {
  const isSpoken = news.kind === 'said' || news.kind === 'sent';
  if (isSpoken && isReached(known, news.conversation, news.seq))
    return isOvertaken(known, news) ? withLate(known, news) : known;
  const isEcho = (news.kind === 'read' || news.kind === 'seen') && readUpTo(known, news.conversation) >= news.seq;
  const counted = withTold(withCounted(known, news, isEcho), news);
  const passed = isSpoken ? passedOver(known, news) : [];
  const isLong = passed.length > MOST_MISSING;
  return {
    ...counted,
    isUncertain: counted.isUncertain || isLong,
    gaps: isLong || passed.length === 0 ? known.gaps : [...known.gaps, ...passed],
    knownSeqs: isSpoken ? new Map(known.knownSeqs).set(news.conversation, news.seq) : known.knownSeqs,
    heardFrom:
      isSpoken && !known.knownSeqs.has(news.conversation)
        ? new Map(known.heardFrom).set(news.conversation, news.seq)
        : known.heardFrom,
    sinceAsked: known.questions > 0 ? [...known.sinceAsked, news] : known.sinceAsked,
  };
}

/** A question goes out; the number names its place among what is told. */
export const withQuestion = (known: UnreadCounts): UnreadCounts => ({ ...known, questions: known.questions + 1 });

/** The counts after the answer to a question that was asked when `from` news of `sinceAsked` had come; null where none came. */
export function withAnswer(known: UnreadCounts, from: number, answer: UnreadAnswer | null): UnreadCounts {
  const questions = known.questions - 1;
  const kept = { ...known, questions, sinceAsked: questions > 0 ? known.sinceAsked : [] };
  if (answer === null) return kept;
  const named = answer.unread.map(({ conversation, count, lastSeq }): [string, Count] => [
    conversation,
    { count, lastSeq },
  ]);
  const lastSeqs = new Map(named.map(([id, { lastSeq }]) => [id, lastSeq]));
  const knownSeqs = new Map(known.knownSeqs);
  for (const [id, { lastSeq }] of named) knownSeqs.set(id, Math.max(lastSeq, knownSeqs.get(id) ?? 0));
  const later = known.sinceAsked.slice(from);
  const isNamed = (id: string) => named.some(([one]) => one === id);
  const seenUpTo = (id: string) => known.unacknowledged.get(id) ?? 0;
  const begun = {
    ...kept,
    knownSeqs,
    // What had come when it was asked is counted in the answer, with all that was there before.
    heardFrom: new Map(
      [...known.heardFrom].filter(([id]) => !isNamed(id) && later.some(({ conversation }) => conversation === id)),
    ),
    // What an answer does not name has been read as far as it knows.
    gaps: known.gaps.filter(({ conversation, seq }) => seq > (lastSeqs.get(conversation) ?? Number.POSITIVE_INFINITY)),
    counts: new Map(named.filter(([id, { lastSeq }]) => lastSeq > seenUpTo(id))),
    rest: answer.total - named.reduce((sum, [, { count }]) => sum + count, 0),
    // It may count what was seen before what came last; the server says when it has heard of that, and is asked again.
    isUncertain: named.some(([id, { lastSeq }]) => seenUpTo(id) > 0 && lastSeq > seenUpTo(id)),
    // One that is never heard of is not doubted for ever.
    unacknowledged: new Map([...known.unacknowledged].filter(([id]) => !isNamed(id))),
  };
  return later.reduce((counts: UnreadCounts, news) => withCounted(counts, news), begun);
}

/** Notes what the server is yet to hear of, or has. */
function withTold(known: UnreadCounts, news: UnreadNews): UnreadCounts {
  if (news.kind === 'seen') {
    const seq = Math.max(news.seq, known.unacknowledged.get(news.conversation) ?? 0);
    return { ...known, unacknowledged: new Map(known.unacknowledged).set(news.conversation, seq) };
  }
  if (news.kind !== 'read' || (known.unacknowledged.get(news.conversation) ?? Number.POSITIVE_INFINITY) > news.seq)
    return known;
  const unacknowledged = new Map(known.unacknowledged);
  unacknowledged.delete(news.conversation);
  return { ...known, unacknowledged };
}

/** Whether an answer has something as unread that was seen here, of which the server may not have heard yet, or will never. */
export const conflictsWith = ({ unacknowledged }: UnreadCounts, { unread }: UnreadAnswer): boolean =>
  unread.some(({ conversation }) => unacknowledged.has(conversation));

const readUpTo = ({ read }: UnreadCounts, conversation: string) => read.get(conversation) ?? 0;

/**
 * One that comes after a later one. Where that left a gap for it, it is one more; else, and where an answer is on its way, it may have been
 * counted, or not: whatever came first stood for the end.
 */
function withLate(known: UnreadCounts, { kind, conversation, seq }: UnreadNews & { seq: number }): UnreadCounts {
  const gaps = known.gaps.filter((one) => one.conversation !== conversation || one.seq !== seq);
  const present = known.counts.get(conversation);
  const isCountable = gaps.length < known.gaps.length && known.questions === 0 && (kind === 'sent' || present);
  if (!isCountable) return { ...known, isUncertain: true };
  if (kind === 'sent' || !present || readUpTo(known, conversation) >= seq) return { ...known, gaps };
  const counts = new Map(known.counts).set(conversation, { ...present, count: present.count + 1 });
  return { ...known, gaps, counts };
}

/** Whether something was passed over, and has not come since. */
export const misses = ({ gaps }: UnreadCounts): boolean => gaps.length > 0;

/** What should have come before a message, and has not; of many one more than are waited for. */
function passedOver({ knownSeqs }: UnreadCounts, { conversation, seq }: { conversation: string; seq: number }) {
  const many = seq - (knownSeqs.get(conversation) ?? seq) - 1;
  return Array.from({ length: Math.min(Math.max(0, many), MOST_MISSING + 1) }, (_, index) => ({
    conversation,
    seq: seq - 1 - index,
  }));
}

const isOvertaken = (
  { knownSeqs }: UnreadCounts,
  { conversation, seq }: { conversation: string; seq: number },
): boolean => seq < (knownSeqs.get(conversation) ?? 0);

/**
 * What each news does to the numbers, also where it is taken once more after an answer. `isEcho`: that so much was read is known, and only an
 * answer of before the server knew it can have put it back.
 */
function withCounted(known: UnreadCounts, news: UnreadNews, isEcho = false): UnreadCounts {
  const { conversation } = news;
  const present = known.counts.get(conversation);
  switch (news.kind) {
    case 'sent':
      return known;
    case 'said': {
      if (readUpTo(known, conversation) >= news.seq || (present && present.lastSeq >= news.seq)) return known;
      const next = { count: (present?.count ?? 0) + 1, lastSeq: news.seq };
      // What the answer has counted without a name may have this one.
      const isUncertain = known.isUncertain || (!present && known.rest > 0);
      return { ...known, counts: new Map(known.counts).set(conversation, next), isUncertain };
    }
    case 'read':
    case 'seen': {
      const read = new Map(known.read).set(conversation, Math.max(news.seq, readUpTo(known, conversation)));
      if (present && news.seq >= present.lastSeq) return { ...without(known, conversation), read };
      if (isEcho) return known;
      // How many of what came since are one's own, or in which conversation the rest is, the server alone knows.
      return { ...known, read, isUncertain: known.isUncertain || present !== undefined || known.rest > 0 };
    }
    case 'gone':
      return { ...without(known, conversation), isUncertain: known.isUncertain || known.rest > 0 };
  }
}

function without(known: UnreadCounts, conversation: string): UnreadCounts {
  const counts = new Map(known.counts);
  counts.delete(conversation);
  return { ...known, counts };
}
