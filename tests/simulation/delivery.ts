import { idOf, type Span, type WriteTracker } from './acknowledged-writes.ts';
import type { Listener } from './listeners.ts';

/** A message, with the time span from its first request to its acknowledgment. */
export type SentMessage = Span & { id: string };

/** How many of the expected messages were delivered through sockets. */
export type Delivery = {
  /** The sum over all sockets of the messages that each should have received. */
  expectedCount: number;
  deliveredCount: number;
  failures: string[];
};

/**
 * The minimum share of delivered messages. A pod that crashes between the commit and the delivery of a message leaves
 * it to catch-up, which is acceptable. A pod that delivers nothing misses more, unless it runs only briefly.
 */
const MIN_SHARE = 0.99;
/** Excuses messages in flight during a disconnect, and the time a reconnected socket needs to join its rooms. */
const MARGIN_MS = 1_000;

/** Lists the messages acknowledged within a time span, by default all. */
export const listSentMessages = (
  tracker: WriteTracker,
  { from = 0, to = Number.POSITIVE_INFINITY }: Partial<Span> = {},
): SentMessage[] =>
  tracker
    .acknowledged(from)
    .filter(({ kind, at }) => kind === 'message' && at <= to)
    .map((message) => ({ id: idOf(message), from: message.requestedAt ?? message.at, to: message.at }));

/**
 * Checks the delivery through sockets. Catch-up over HTTP fills every gap, so the received messages alone would not
 * reveal a pod that delivers nothing. Only messages sent outside outages of the socket and excused spans count.
 */
export function checkDelivery(
  listeners: readonly Pick<Listener, 'who' | 'delivered' | 'outages'>[],
  sent: readonly SentMessage[],
  excused: readonly Span[] = [],
): Delivery {
  const results = listeners.map(({ who, delivered, outages }) => {
    const spans = [...excused, ...outages()];
    const expected = sent.filter((message) => !spans.some((span) => overlaps(message, span)));
    const deliveredCount = expected.filter(({ id }) => delivered.has(id)).length;
    return { who, expectedCount: expected.length, deliveredCount };
  });
  const expectedCount = sum(results.map((result) => result.expectedCount));
  const deliveredCount = sum(results.map((result) => result.deliveredCount));
  const incomplete = results.filter((result) => result.deliveredCount < result.expectedCount);
  const failures =
    deliveredCount >= expectedCount * MIN_SHARE
      ? []
      : incomplete.map((result) => `${result.who} got ${result.deliveredCount} of ${result.expectedCount}`);
  return {
    expectedCount,
    deliveredCount,
    failures: expectedCount === 0 ? ['no message was sent outside outages'] : failures,
  };
}

const overlaps = (message: Span, outage: Span): boolean =>
  outage.from <= message.to + MARGIN_MS && outage.to + MARGIN_MS >= message.from;

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Formats the delivered share. It is rounded down, so that it never looks complete if it is not. */
export const formatShare = ({ expectedCount, deliveredCount }: Delivery): string => {
  if (expectedCount === 0) return '-';
  const percent = Math.floor((deliveredCount / expectedCount) * 1_000) / 10;
  return `${percent.toFixed(deliveredCount === expectedCount ? 0 : 1)} %`;
};

export const describeDelivery = (delivery: Delivery): string =>
  `${formatShare(delivery)} of ${delivery.expectedCount} expected deliveries arrived through the socket`;
