import { type EventDefinition, type EventOf, envelope, producerOf, subjectOf } from '@atrium/proto-events/event';
import type { z } from 'zod';
import type { Queryable } from '../postgres/postgres.ts';

/** One handler of one event, and of what was told of the same in earlier versions. */
export type Reaction = {
  event: EventDefinition;
  handle: (event: EventOf<EventDefinition>, tx: Queryable) => Promise<void>;
  upcasters?: readonly Upcaster<unknown>[];
};

/** An earlier version of an event, and what its data is in the present one. */
export type Upcaster<Data> = { event: EventDefinition; up: (data: unknown) => Data };

/**
 * A durable consumer of one producer's events. It survives restarts and sees every event at least once: those of one aggregate one at
 * a time and in order across all pods, those of several side by side (docs/decisions/0020). Its handlers run in a transaction that
 * also records the event, so that a second delivery changes nothing.
 */
export type Subscription = {
  /** Unique within the service; with it the name of the durable consumer, which outlives a version (docs/decisions/0013). */
  name: string;
  producer: string;
  reactions: Reaction[];
  /** Gives up the order: all pods take events, and so many may be under way at once over all of them. */
  unordered?: number;
  /** Without an inbox (a store without transactions, or an effect that repeats harmlessly) the handler must be idempotent itself. */
  inbox: boolean;
  /** After this many attempts an event goes to the dead letters. */
  attempts: number;
  /** Where a durable that is made begins: with what is published from now on, unless its effects are right for the past, too. */
  from: 'all' | 'new';
};

/** Ties a handler to an event, with the types of both. What `earlier` names comes to it as if it had been told in this version. */
export function on<D extends EventDefinition>(
  event: D,
  handle: (event: EventOf<D>, tx: Queryable) => Promise<void>,
  ...upcasters: Upcaster<z.input<D['data']>>[]
): Reaction {
  const mismatch = upcasters.find((one) => one.event.type !== event.type);
  if (mismatch) throw new Error(`${subjectOf(mismatch.event)} is no version of ${event.type}`);
  return { event, handle: handle as unknown as Reaction['handle'], upcasters };
}

/** Names an earlier version for `on` (docs/decisions/0021). `up` must not fail for what that version allows. */
export function upcastFrom<D extends EventDefinition, Data>(
  event: D,
  up: (data: z.output<D['data']>) => Data,
): Upcaster<Data> {
  return { event, up: up as unknown as Upcaster<Data>['up'] };
}

/** The reaction to each version by itself. */
function toVersions({ event, handle, upcasters: versions = [] }: Reaction): Reaction[] {
  const upcast = (data: unknown) => {
    const made = event.data.safeParse(data);
    if (!made.success) throw new InvalidEvent(`as ${subjectOf(event)}: ${made.error.message}`);
    return made.data;
  };
  return [
    { event, handle },
    ...versions.map((version) => ({
      event: version.event,
      handle: (given: EventOf<EventDefinition>, tx: Queryable) =>
        handle({ ...given, version: event.version, data: upcast(version.up(given.data)) }, tx),
    })),
  ];
}

type Options = { name: string; reactions: Reaction[] } & Partial<
  Pick<Subscription, 'unordered' | 'inbox' | 'attempts' | 'from'>
>;

/** With the growing delays between them (`retryDelay`), a little under three minutes. */
const ATTEMPTS = 12;

/** Declares a subscription; all its events must come from one producer. */
export function subscription({
  name,
  reactions: given,
  unordered,
  inbox = true,
  attempts = ATTEMPTS,
  from = 'new',
}: Options): Subscription {
  const reactions = given.flatMap(toVersions);
  const producers = new Set(reactions.map(({ event }) => producerOf(event)));
  const [producer] = producers;
  if (producer === undefined || producers.size > 1) throw new Error(`${name} must react to one producer's events`);
  return { name, producer, reactions, inbox, attempts, from, ...(unordered !== undefined && { unordered }) };
}

/** Raised for a payload that no retry can make right. */
export class InvalidEvent extends Error {}

/** Raised for an event that this pod has no reaction to: another one asked for it. */
export class UnknownEvent extends Error {}

/** Finds the reaction to a subject (below the prefix) and parses the event for it. Throws `UnknownEvent` or `InvalidEvent`. */
export function parseEvent(subscription: Subscription, subject: string, payload: Uint8Array) {
  const reaction = subscription.reactions.find(({ event }) => subjectOf(event) === subject);
  if (!reaction) throw new UnknownEvent(`no reaction to ${subject}`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(payload));
  } catch (cause) {
    throw new InvalidEvent('not JSON', { cause });
  }
  const outer = envelope.safeParse(json);
  if (!outer.success) throw new InvalidEvent(`envelope: ${outer.error.message}`);
  const data = reaction.event.data.safeParse(outer.data.data);
  if (!data.success) throw new InvalidEvent(`data: ${data.error.message}`);
  return { reaction, event: { ...outer.data, data: data.data } };
}
