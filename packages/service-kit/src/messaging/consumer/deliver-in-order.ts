import { setTimeout as pause } from 'node:timers/promises';
import { AGGREGATE_HEADER } from '@atrium/proto-events/dead-letters';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Db } from '../../postgres/postgres.ts';
import { isWithin, readClocks } from '../../process/clock-reading.ts';
import { createSemaphore, type Semaphore } from '../../process/concurrency.ts';
import { PULL_MS } from '../messaging.ts';
import { ACK_WAIT_MS, LEADER_GROUP, PIN_MS } from './durable.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { type ConsumerDeps, isPastParking, NotLeaderError, processEvent } from './process-event.ts';

const WITHOUT_DATABASE = 16;

export type Bulkhead = Pick<Semaphore, 'run'>;

/** Half of the database connections: the other half is for requests. */
export const createBulkhead = (db: Pick<Db, 'pool'> | undefined): Bulkhead =>
  createSemaphore(db ? Math.max(1, Math.floor((db.pool.options.max ?? 0) / 2)) : WITHOUT_DATABASE);

const PULLED = 500;
const RECHECK_MS = 200;

/** How long a stopping leader handles the events it has; longer would exceed its pin. */
const DRAIN_MS = 4_000;

export type Delivery = {
  /** By our own clocks, counted from before the last request: JetStream delivers to no other pod while this is true. */
  leads(): boolean;
  /** With `drain`, finishes the events at hand if they succeed immediately, instead of abandoning them. */
  end(drain: boolean): Promise<void>;
  parked(): number;
  recheckParked(): Promise<void>;
};

type Options = {
  bulkhead: Bulkhead;
  onUnhandled: () => void;
  /** Called when this pod no longer leads although it did; this delivery starts nothing more. */
  onLost: () => void;
};

type Held = { message: JsMsg; firstDelivery: number };

/**
 * Delivers, once JetStream has pinned this pod, a durable's events in stream order for each aggregate, and concurrently
 * across aggregates. An event that fails is retried here, in its place.
 *
 * The order of deliveries is unreliable: events that a previous leader had received, or that were lost with a
 * connection, are redelivered only after six seconds, among newer events. So nothing starts before all outstanding
 * events have arrived; a gap in the consumer sequence, which has none as long as no other process receives events and
 * none is lost, triggers another check.
 *
 * A leader that was paused for longer than its pin checks its own clock before it starts anything. Work that it had
 * started may be repeated by its successor; the inbox makes one of the two a no-op: the inbox row is inserted in the
 * transaction of the effect, and the second insert waits for the first. Without an inbox, the handler compares
 * versions or keys itself, as for any redelivery; a late effect carries the old version, so that a newer one
 * persists.
 */
export async function deliverInOrder(deps: ConsumerDeps, options: Options): Promise<Delivery> {
  const { durable, messaging } = deps;
  const consumer = await messaging.js.consumers.get(durable.stream, durable.name);
  const stopping = new AbortController();
  let startsUntil = Number.POSITIVE_INFINITY;
  const queue = createKeyedQueue();
  const blocked = new Set<string | undefined>();
  /** By stream sequence. */
  const held = new Map<number, Held>();
  const parked = new Map<number, Held>();
  /** Out-of-order deliveries, buffered until all outstanding events have arrived. */
  let waiting: Held[] | undefined;
  let hasGap = false;
  let lastDelivery = -1;

  const pin = trackPin(options.onLost);
  const attempt = (run: () => Promise<void>) =>
    options.bulkhead.run(async () => {
      if (pin.holds() && performance.now() < startsUntil) return run();
      if (!stopping.signal.aborted) options.onLost();
      throw new NotLeaderError();
    });
  const settle = async (event: Held, key: string | undefined) => {
    if (blocked.has(key) || blocked.has(undefined)) return;
    const { message } = event;
    const outcome = await processEvent(message, deps, { signal: stopping.signal, attempt, canPark: true });
    if (outcome === 'parked') return void parked.set(message.seq, event);
    if (outcome !== 'settled') blocked.add(key);
    else if (held.get(message.seq) === event) held.delete(message.seq);
    if (outcome === 'unhandled') options.onUnhandled();
  };
  const begin = (event: Held) => {
    const key = event.message.headers?.get(AGGREGATE_HEADER) || undefined;
    queue.add(key, () => settle(event, key));
  };

  /** By the server's count. */
  const awaitOutstanding = async () => {
    const isComplete = async () => {
      hasGap = false;
      return (await isAllHere(deps, held)) && !hasGap;
    };
    while (!stopping.signal.aborted && !(await isComplete())) {
      await pause(RECHECK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    if (stopping.signal.aborted) return;
    const complete = waiting ?? [];
    waiting = undefined;
    for (const event of complete.sort((a, b) => a.message.seq - b.message.seq)) begin(event);
  };

  const take = (message: JsMsg) => {
    pin.set();
    const { deliverySequence } = message.info;
    const isNext = deliverySequence === lastDelivery + 1;
    lastDelivery = deliverySequence;
    const known = held.get(message.seq);
    // Any delivery of it can be acknowledged. A recreated stream restarts its sequence, hence the timestamps.
    if (known && known.message.timestampNanos === message.timestampNanos) return;
    const event = { message, firstDelivery: deliverySequence };
    held.set(message.seq, event);
    hasGap ||= !isNext;
    if (waiting) waiting.push(event);
    else if (isNext) begin(event);
    else {
      waiting = [event];
      void awaitOutstanding();
    }
  };

  const messages = await consumer.consume({
    group: LEADER_GROUP,
    max_messages: PULLED,
    expires: PULL_MS,
    callback: take,
  });
  void pin.follow(messages);
  const working = setInterval(() => {
    if (pin.holds()) for (const { message } of held.values()) message.working();
  }, ACK_WAIT_MS / 3);

  return {
    leads: pin.holds,
    parked: () => parked.size,
    async recheckParked() {
      for (const subject of new Set([...parked.values()].map(({ message }) => message.subject)))
        if (await deps.subscribers.has(subject)) return options.onUnhandled();
      for (const [seq, event] of parked) if (isPastParking(event.message) && parked.delete(seq)) begin(event);
    },
    async end(drain) {
      startsUntil = drain ? performance.now() + DRAIN_MS : 0;
      stopping.abort();
      await messages.close();
      await queue.ended();
      clearInterval(working);
      // Available to other pods immediately, instead of after six seconds.
      for (const { message } of held.values()) message.nak();
      held.clear();
    },
  };
}

/** Whether JetStream has pinned this process, by its clocks, counted from before its last request. */
function trackPin(onLost: () => void) {
  let isSet = false;
  let lastRequest = readClocks();
  return {
    holds: () => isSet && isWithin(lastRequest, PIN_MS),
    set: () => {
      isSet = true;
    },
    /** Ends with the messages. The client reports a request in the turn in which it sends it. */
    async follow(messages: ConsumerMessages): Promise<void> {
      for await (const { type } of messages.status()) {
        if (type === 'next') lastRequest = readClocks();
        if (type !== 'consumer_unpinned') continue;
        isSet = false;
        onLost();
      }
    },
  };
}

async function isAllHere({ durable, log }: ConsumerDeps, held: ReadonlyMap<number, Held>): Promise<boolean> {
  try {
    const { num_ack_pending, delivered } = await durable.info();
    let here = 0;
    for (const { firstDelivery } of held.values()) if (firstDelivery <= delivered.consumer_seq) here += 1;
    return num_ack_pending <= here;
  } catch (error) {
    log.debug({ err: error, consumer: durable.name }, 'Failed to read consumer state');
    return false;
  }
}
