import { setTimeout as delay } from 'node:timers/promises';
import { AGGREGATE_HEADER } from '@atrium/proto-events/dead-letters';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import type { Db } from '../../postgres/postgres.ts';
import { isWithin, readClocks } from '../../process/clock-reading.ts';
import { createSemaphore, type Semaphore } from '../../process/concurrency.ts';
import { PULL_MS } from '../messaging.ts';
import { ACK_WAIT_MS, LEADER_GROUP, PIN_MS } from './durable.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { type ConsumerDeps, isPastParking, NotLeaderError, processEvent } from './process-event.ts';

const CONCURRENCY_WITHOUT_DATABASE = 16;

export type Bulkhead = Pick<Semaphore, 'run'>;

/** Limits event handlers to half of the database connections: the other half is for requests. */
export const createBulkhead = (db: Pick<Db, 'pool'> | undefined): Bulkhead =>
  createSemaphore(db ? Math.max(1, Math.floor((db.pool.options.max ?? 0) / 2)) : CONCURRENCY_WITHOUT_DATABASE);

const MAX_PULLED = 500;
const RECHECK_MS = 200;

/** How long a stopping leader handles the events it has; longer would exceed its pin. */
const DRAIN_MS = 4_000;

export type Delivery = {
  /** Measured by our own clocks from before the last request: JetStream delivers to no other pod while this is true. */
  isLeader(): boolean;
  /** With `drain`, finishes the received events if they succeed at the first attempt, instead of abandoning them. */
  end(drain: boolean): Promise<void>;
  parkedCount(): number;
  recheckParked(): Promise<void>;
};

type Options = {
  bulkhead: Bulkhead;
  onUnhandled: () => void;
  /** Called when this pod has lost leadership; this delivery starts nothing more. */
  onLost: () => void;
};

type ReceivedEvent = { message: JsMsg; firstDelivery: number };

/**
 * Delivers a durable's events once JetStream has pinned this pod: in stream order for each aggregate, and concurrently
 * across aggregates. An event that fails is retried here, in its place.
 *
 * The order of deliveries is unreliable: events that a previous leader had received, or that were lost with a
 * connection, are redelivered only after six seconds, among newer events. So nothing starts before all outstanding
 * events have arrived. The consumer sequence has no gap as long as no other process receives events and none is lost,
 * so a gap triggers another check.
 *
 * A leader that was paused for longer than its pin checks its own clock before it starts anything. Its successor may
 * repeat work that it had started. The inbox makes one of the two a no-op: the inbox row is inserted in the transaction
 * of the effect, and the second insert waits for the first. Without an inbox, the handler compares versions or keys
 * itself, as for any redelivery. A late effect carries the old version, so it does not replace a newer one.
 */
export async function deliverInOrder(deps: ConsumerDeps, options: Options): Promise<Delivery> {
  const { durable, messaging } = deps;
  const consumer = await messaging.js.consumers.get(durable.stream, durable.name);
  const stopping = new AbortController();
  let canStartUntil = Number.POSITIVE_INFINITY;
  const queue = createKeyedQueue();
  const blockedKeys = new Set<string | undefined>();
  /** Unacknowledged events by stream sequence. */
  const receivedEvents = new Map<number, ReceivedEvent>();
  const parkedEvents = new Map<number, ReceivedEvent>();
  /** Out-of-order deliveries, buffered until all outstanding events have arrived. */
  let bufferedEvents: ReceivedEvent[] | undefined;
  let hasGap = false;
  let lastDeliverySequence = -1;

  const pin = trackPin(options.onLost);
  const attempt = (run: () => Promise<void>) =>
    options.bulkhead.run(async () => {
      if (pin.isHeld() && performance.now() < canStartUntil) return run();
      if (!stopping.signal.aborted) options.onLost();
      throw new NotLeaderError();
    });
  const processInPlace = async (event: ReceivedEvent, key: string | undefined) => {
    if (blockedKeys.has(key) || blockedKeys.has(undefined)) return;
    const { message } = event;
    const outcome = await processEvent(message, deps, { signal: stopping.signal, attempt, canPark: true });
    if (outcome === 'parked') return void parkedEvents.set(message.seq, event);
    if (outcome !== 'settled') blockedKeys.add(key);
    else if (receivedEvents.get(message.seq) === event) receivedEvents.delete(message.seq);
    if (outcome === 'unhandled') options.onUnhandled();
  };
  const begin = (event: ReceivedEvent) => {
    const key = event.message.headers?.get(AGGREGATE_HEADER) || undefined;
    queue.add(key, () => processInPlace(event, key));
  };

  /** Waits for all outstanding events, by the server's count, and then begins them in order. */
  const awaitOutstanding = async () => {
    const isComplete = async () => {
      hasGap = false;
      return (await haveAllArrived(deps, receivedEvents)) && !hasGap;
    };
    while (!stopping.signal.aborted && !(await isComplete())) {
      await delay(RECHECK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    if (stopping.signal.aborted) return;
    const events = bufferedEvents ?? [];
    bufferedEvents = undefined;
    for (const event of events.sort((a, b) => a.message.seq - b.message.seq)) begin(event);
  };

  const receive = (message: JsMsg) => {
    pin.set();
    const { deliverySequence } = message.info;
    const isNext = deliverySequence === lastDeliverySequence + 1;
    lastDeliverySequence = deliverySequence;
    const existing = receivedEvents.get(message.seq);
    // Any delivery of an event can be acknowledged. The timestamps distinguish events of a recreated stream, which
    // reuses sequences.
    if (existing && existing.message.timestampNanos === message.timestampNanos) return;
    const event = { message, firstDelivery: deliverySequence };
    receivedEvents.set(message.seq, event);
    hasGap ||= !isNext;
    if (bufferedEvents) bufferedEvents.push(event);
    else if (isNext) begin(event);
    else {
      bufferedEvents = [event];
      void awaitOutstanding();
    }
  };

  const messages = await consumer.consume({
    group: LEADER_GROUP,
    max_messages: MAX_PULLED,
    expires: PULL_MS,
    callback: receive,
  });
  void pin.follow(messages);
  const progressTimer = setInterval(() => {
    if (pin.isHeld()) for (const { message } of receivedEvents.values()) message.working();
  }, ACK_WAIT_MS / 3);

  return {
    isLeader: pin.isHeld,
    parkedCount: () => parkedEvents.size,
    async recheckParked() {
      for (const subject of new Set([...parkedEvents.values()].map(({ message }) => message.subject)))
        if (await deps.subscribers.has(subject)) return options.onUnhandled();
      for (const [seq, event] of parkedEvents)
        if (isPastParking(event.message) && parkedEvents.delete(seq)) begin(event);
    },
    async end(drain) {
      canStartUntil = drain ? performance.now() + DRAIN_MS : 0;
      stopping.abort();
      await messages.close();
      await queue.ended();
      clearInterval(progressTimer);
      // Makes events available to other pods immediately, instead of after six seconds.
      for (const { message } of receivedEvents.values()) message.nak();
      receivedEvents.clear();
    },
  };
}

/** Tracks whether JetStream has pinned this process, by its own clocks and from before its last request. */
function trackPin(onLost: () => void) {
  let isSet = false;
  let lastRequestAt = readClocks();
  return {
    isHeld: () => isSet && isWithin(lastRequestAt, PIN_MS),
    set: () => {
      isSet = true;
    },
    /**
     * Follows the requests until the messages end. The client reports each request in the turn in which it sends it.
     */
    async follow(messages: ConsumerMessages): Promise<void> {
      for await (const { type } of messages.status()) {
        if (type === 'next') lastRequestAt = readClocks();
        if (type !== 'consumer_unpinned') continue;
        isSet = false;
        onLost();
      }
    },
  };
}

async function haveAllArrived(
  { durable, log }: ConsumerDeps,
  receivedEvents: ReadonlyMap<number, ReceivedEvent>,
): Promise<boolean> {
  try {
    const { num_ack_pending, delivered } = await durable.info();
    let arrivedCount = 0;
    for (const { firstDelivery } of receivedEvents.values())
      if (firstDelivery <= delivered.consumer_seq) arrivedCount += 1;
    return num_ack_pending <= arrivedCount;
  } catch (error) {
    log.debug({ err: error, consumer: durable.name }, 'Failed to read consumer state');
    return false;
  }
}
