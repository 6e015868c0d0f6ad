import { type EventDefinition, type EventOf, envelope, producerOf, subjectOf } from '@atrium/proto-events/event';
import type { z } from 'zod';
import type { Queryable } from '../postgres/postgres.ts';

export type EventHandler = {
  event: EventDefinition;
  handle: (event: EventOf<EventDefinition>, tx: Queryable) => Promise<void>;
  upcasters?: readonly Upcaster<unknown>[];
};

type Upcaster<Data> = { event: EventDefinition; up: (data: unknown) => Data };

/**
 * A durable consumer of one producer's events. It survives restarts and receives every event at least once: those of
 * one aggregate sequentially and in order across all pods, those of different aggregates concurrently
 * (docs/decisions/0020). Its handlers run in a transaction that also records the event, so that a redelivery changes
 * nothing.
 */
export type Subscription = {
  /**
   * Unique within the service; determines the name of the durable consumer, which outlives versions
   * (docs/decisions/0013).
   */
  name: string;
  producer: string;
  handlers: EventHandler[];
  /** Delivers to all pods without order, with at most this many events in flight across them. */
  unordered?: number;
  /**
   * Without an inbox (for a store without transactions, or where a redelivery is harmless), the handler itself must be
   * idempotent.
   */
  inbox: boolean;
  attempts: number;
  /** Where a new durable starts: `new` unless its effects are also right for past events. */
  from: 'all' | 'new';
};

/** Declares the handler of an event. `upcasters` convert the data of earlier versions. */
export function on<D extends EventDefinition>(
  event: D,
  handle: (event: EventOf<D>, tx: Queryable) => Promise<void>,
  ...upcasters: Upcaster<z.input<D['data']>>[]
): EventHandler {
  const mismatch = upcasters.find((upcaster) => upcaster.event.type !== event.type);
  if (mismatch) throw new Error(`${subjectOf(mismatch.event)} is not a version of ${event.type}`);
  return { event, handle: handle as unknown as EventHandler['handle'], upcasters };
}

/** Declares an earlier version for `on` (docs/decisions/0021). `up` must not fail for any data of that version. */
export function upcastFrom<D extends EventDefinition, Data>(
  event: D,
  up: (data: z.output<D['data']>) => Data,
): Upcaster<Data> {
  return { event, up: up as unknown as Upcaster<Data>['up'] };
}

function toVersions({ event, handle, upcasters: versions = [] }: EventHandler): EventHandler[] {
  const upcast = (data: unknown) => {
    const parsed = event.data.safeParse(data);
    if (!parsed.success) throw new InvalidEvent(`as ${subjectOf(event)}: ${parsed.error.message}`);
    return parsed.data;
  };
  return [
    { event, handle },
    ...versions.map((version) => ({
      event: version.event,
      handle: (earlierEvent: EventOf<EventDefinition>, tx: Queryable) =>
        handle({ ...earlierEvent, version: event.version, data: upcast(version.up(earlierEvent.data)) }, tx),
    })),
  ];
}

type Options = { name: string; handlers: EventHandler[] } & Partial<
  Pick<Subscription, 'unordered' | 'inbox' | 'attempts' | 'from'>
>;

/** Takes a little less than three minutes, with exponential delays (`retryDelay`). */
const DEFAULT_ATTEMPTS = 12;

export function subscription({
  name,
  handlers: declaredHandlers,
  unordered,
  inbox = true,
  attempts = DEFAULT_ATTEMPTS,
  from = 'new',
}: Options): Subscription {
  const handlers = declaredHandlers.flatMap(toVersions);
  const producers = new Set(handlers.map(({ event }) => producerOf(event)));
  const [producer] = producers;
  if (producer === undefined || producers.size > 1)
    throw new Error(`${name} must handle events of exactly one producer`);
  return { name, producer, handlers, inbox, attempts, from, ...(unordered !== undefined && { unordered }) };
}

/** Thrown for a payload that no retry can fix. */
export class InvalidEvent extends Error {}

/** Thrown for an event that this pod does not handle, but that another one has subscribed to. */
export class UnknownEvent extends Error {}

/**
 * Finds the handler of an event and parses its payload. `subject` is below the prefix. Throws `UnknownEvent` or
 * `InvalidEvent`.
 */
export function parseEvent(subscription: Subscription, subject: string, payload: Uint8Array) {
  const handler = subscription.handlers.find(({ event }) => subjectOf(event) === subject);
  if (!handler) throw new UnknownEvent(`No handler for ${subject}`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(payload));
  } catch (cause) {
    throw new InvalidEvent('not JSON', { cause });
  }
  const parsedEnvelope = envelope.safeParse(json);
  if (!parsedEnvelope.success) throw new InvalidEvent(`envelope: ${parsedEnvelope.error.message}`);
  const data = handler.event.data.safeParse(parsedEnvelope.data.data);
  if (!data.success) throw new InvalidEvent(`data: ${data.error.message}`);
  return { handler, event: { ...parsedEnvelope.data, data: data.data } };
}
