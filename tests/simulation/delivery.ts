import { idOf, type Ledger, type Span } from './acknowledged-writes.ts';
import type { Listener } from './listeners.ts';

/** A message, from when it was first asked for until it was acknowledged. */
export type Sent = Span & { id: string };

/** How many of the messages that had to come by a socket did. */
export type Delivery = {
  /** Messages times sockets. */
  due: number;
  came: number;
  faults: string[];
};

/**
 * The least share. A pod that dies between the commit of a message and its delivery leaves it to catching up, which is as it should be; one
 * that delivers nothing misses more, unless it is there for a moment only.
 */
const LEAST_SHARE = 0.99;
/** A message that is under way while a socket goes may be lost, and one that comes back is not in its rooms at once. */
const MARGIN_MS = 1_000;

/** The messages that were acknowledged in a time, all unless told. */
export const messagesIn = (ledger: Ledger, { from = 0, to = Number.POSITIVE_INFINITY }: Partial<Span> = {}): Sent[] =>
  ledger
    .acknowledged(from)
    .filter(({ kind, at }) => kind === 'message' && at <= to)
    .map((message) => ({ id: idOf(message), from: message.asked ?? message.at, to: message.at }));

/**
 * Whether messages came by the sockets themselves. Catching up over HTTP fills every gap, so that a pod which delivers nothing would not be
 * noticed by what was heard. Judged is each message that was sent while the socket was in no trouble, nor anything else that excuses it.
 */
export function judgeDelivery(
  listeners: readonly Pick<Listener, 'who' | 'delivered' | 'troubles'>[],
  sent: readonly Sent[],
  excused: readonly Span[] = [],
): Delivery {
  const each = listeners.map(({ who, delivered, troubles }) => {
    const spans = [...excused, ...troubles()];
    const due = sent.filter((message) => !spans.some((span) => overlap(message, span)));
    return { who, due: due.length, came: due.filter(({ id }) => delivered.has(id)).length };
  });
  const due = sumOf(each.map((one) => one.due));
  const came = sumOf(each.map((one) => one.came));
  const missed = each.filter((one) => one.came < one.due);
  const faults = came >= due * LEAST_SHARE ? [] : missed.map((one) => `${one.who} got ${one.came} of ${one.due}`);
  return { due, came, faults: due === 0 ? ['no message was sent while nothing was in trouble'] : faults };
}

const overlap = (message: Span, trouble: Span): boolean =>
  trouble.from <= message.to + MARGIN_MS && trouble.to + MARGIN_MS >= message.from;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The share, rounded so that what is missing does not look whole. */
export const shareOf = ({ due, came }: Delivery): string =>
  due === 0 ? '-' : `${(Math.floor((came / due) * 1_000) / 10).toFixed(came === due ? 0 : 1)} %`;

export const describeDelivery = (delivery: Delivery): string =>
  `${shareOf(delivery)} of ${delivery.due} deliveries while nothing was in trouble came by the socket itself`;
