import { idOf, type Span, type WriteTracker } from './acknowledged-writes.ts';
import type { Listener } from './listeners.ts';

/** A message, from its first request until its acknowledgment. */
export type SentMessage = Span & { id: string };

/** How many of the expected messages were delivered through sockets. */
export type Delivery = {
  /** Messages times sockets. */
  due: number;
  came: number;
  failures: string[];
};

/**
 * The minimum share. A pod that crashes between the commit and the delivery of a message leaves it to catch-up, which is acceptable; a pod that
 * delivers nothing misses more, unless it runs only briefly.
 */
const MIN_SHARE = 0.99;
/** Messages in flight during a disconnect may be lost, and a reconnected socket joins its rooms with a delay. */
const MARGIN_MS = 1_000;

/** The messages acknowledged within a time span; all by default. */
export const listSentMessages = (
  tracker: WriteTracker,
  { from = 0, to = Number.POSITIVE_INFINITY }: Partial<Span> = {},
): SentMessage[] =>
  tracker
    .acknowledged(from)
    .filter(({ kind, at }) => kind === 'message' && at <= to)
    .map((message) => ({ id: idOf(message), from: message.requestedAt ?? message.at, to: message.at }));

/**
 * Checks the delivery through sockets. Catch-up over HTTP fills every gap, so received messages alone would not reveal a pod that delivers
 * nothing. Only messages sent outside outages of the socket and excused spans count.
 */
export function checkDelivery(
  listeners: readonly Pick<Listener, 'who' | 'delivered' | 'outages'>[],
  sent: readonly SentMessage[],
  excused: readonly Span[] = [],
): Delivery {
  const each = listeners.map(({ who, delivered, outages }) => {
    const spans = [...excused, ...outages()];
    const due = sent.filter((message) => !spans.some((span) => overlap(message, span)));
    return { who, due: due.length, came: due.filter(({ id }) => delivered.has(id)).length };
  });
  const due = sumOf(each.map((one) => one.due));
  const came = sumOf(each.map((one) => one.came));
  const missed = each.filter((one) => one.came < one.due);
  const failures = came >= due * MIN_SHARE ? [] : missed.map((one) => `${one.who} got ${one.came} of ${one.due}`);
  return { due, came, failures: due === 0 ? ['no message was sent outside outages'] : failures };
}

const overlap = (message: Span, trouble: Span): boolean =>
  trouble.from <= message.to + MARGIN_MS && trouble.to + MARGIN_MS >= message.from;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The share, rounded down so that it never looks complete if it is not. */
export const formatShare = ({ due, came }: Delivery): string =>
  due === 0 ? '-' : `${(Math.floor((came / due) * 1_000) / 10).toFixed(came === due ? 0 : 1)} %`;

export const describeDelivery = (delivery: Delivery): string =>
  `${formatShare(delivery)} of ${delivery.due} expected deliveries arrived through the socket`;
