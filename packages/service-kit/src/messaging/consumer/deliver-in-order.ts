import { setTimeout as pause } from 'node:timers/promises';
import { AGGREGATE_HEADER } from '@atrium/proto-events/dead-letters';
import type { JsMsg } from '@nats-io/jetstream';
import type { Bulkhead } from '../../process/bulkhead.ts';
import { PULL_MS } from '../messaging.ts';
import { ACK_WAIT_MS } from './durable.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { type ConsumerDeps, isPastParking, NotLeaderError, processEvent } from './process-event.ts';

const PULLED = 500;
const LOOK_AGAIN_MS = 200;

/** How long a leader that stops still handles what it has been given; longer would outlast its lease. */
const DRAIN_MS = 4_000;

export type Delivery = {
  /** Stops; `drain` says whether what is here is still done, as far as it succeeds at once, or left as it is. */
  end(drain: boolean): Promise<void>;
  /** How many events wait aside for a pod that reacts to them; they count as under way at the server. */
  parked(): number;
  /** Looks whether a pod reacts to what waits aside by now, or whether it has waited for too long. */
  recheckParked(): Promise<void>;
};

type Leader = {
  bulkhead: Bulkhead;
  /** Whether this process still leads. */
  holds: () => boolean;
  /** Called for an event to which others react and this process does not. */
  onUnhandled: () => void;
};

type Held = { message: JsMsg; firstDelivery: number };

/**
 * Delivers, as the one pod that leads, a durable's events in the order of the stream for each aggregate, and side by side over
 * aggregates. An event that fails is tried again here, in its place.
 *
 * Order must not depend on the deliveries' order: what another leader had taken, or what was lost with a connection, comes again only
 * after six seconds, in between newer events. So nothing that comes is begun before all that is under way somewhere is here; the
 * deliveries' own sequence, which has no gaps as long as nobody else takes any and none is lost, tells when to look again.
 *
 * A leader that stood still for longer than its lease and wakes asks its own clock before it begins anything. What it had begun may be
 * done a second time by its successor, after which the inbox makes one of the two no effect: the row of the event is inserted in the
 * transaction of the effect, and the second insert waits for the first. Without an inbox the handler compares versions or keys itself,
 * as it must for any event that comes twice; what it does late is what it was told then, so that a newer version of it stands.
 */
export async function deliverInOrder(deps: ConsumerDeps, leader: Leader): Promise<Delivery> {
  const { durable, messaging } = deps;
  const consumer = await messaging.js.consumers.get(durable.stream, durable.name);
  const stopping = new AbortController();
  let beginsUntil = Number.POSITIVE_INFINITY;
  const chains = createKeyedQueue();
  /** Aggregates in which an event is left, so that none that follows it may begin; with one of no aggregate, all. */
  const left = new Set<string | undefined>();
  /** What this process has and has not settled, by its sequence in the stream. */
  const held = new Map<number, Held>();
  /** What of that no pod reacts to: its aggregate continues without it. */
  const parked = new Map<number, Held>();
  /** What has come and must not begin yet. */
  let waiting: Held[] | undefined;
  /** Whether somebody else took one, or one was lost, since it was last asked what is under way. */
  let isGap = false;
  let lastDelivery = -1;

  const canStart = () => leader.holds() && performance.now() < beginsUntil;
  const attempt = (run: () => Promise<void>) =>
    leader.bulkhead.run(async () => {
      if (!canStart()) throw new NotLeaderError();
      await run();
    });
  const settle = async (one: Held, key: string | undefined) => {
    if (left.has(key) || left.has(undefined)) return;
    const { message } = one;
    const outcome = await processEvent(message, deps, { signal: stopping.signal, attempt, canPark: true });
    if (outcome === 'parked') return void parked.set(message.seq, one);
    if (outcome !== 'settled') left.add(key);
    else if (held.get(message.seq) === one) held.delete(message.seq);
    if (outcome === 'for others') leader.onUnhandled();
  };
  const begin = (one: Held) => {
    const key = one.message.headers?.get(AGGREGATE_HEADER) || undefined;
    chains.add(key, () => settle(one, key));
  };

  /** Waits until all that is under way, by the server's count, is here. */
  const awaitOutstanding = async () => {
    const isComplete = async () => {
      isGap = false;
      return (await isAllHere(deps, held)) && !isGap;
    };
    while (!stopping.signal.aborted && !(await isComplete())) {
      await pause(LOOK_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    if (stopping.signal.aborted) return;
    const complete = waiting ?? [];
    waiting = undefined;
    for (const one of complete.sort((a, b) => a.message.seq - b.message.seq)) begin(one);
  };

  const take = (message: JsMsg) => {
    const { deliverySequence } = message.info;
    const isNext = deliverySequence === lastDelivery + 1;
    lastDelivery = deliverySequence;
    const known = held.get(message.seq);
    // Any delivery of it may be acknowledged. A stream that was made anew counts from one again.
    if (known && known.message.timestampNanos === message.timestampNanos) return;
    const one = { message, firstDelivery: deliverySequence };
    held.set(message.seq, one);
    isGap ||= !isNext;
    if (waiting) waiting.push(one);
    else if (isNext) begin(one);
    else {
      waiting = [one];
      void awaitOutstanding();
    }
  };

  const messages = await consumer.consume({ max_messages: PULLED, expires: PULL_MS, callback: take });
  const working = setInterval(() => {
    if (leader.holds()) for (const { message } of held.values()) message.working();
  }, ACK_WAIT_MS / 3);

  return {
    parked: () => parked.size,
    async recheckParked() {
      for (const subject of new Set([...parked.values()].map(({ message }) => message.subject)))
        if (await deps.subscribers.has(subject)) return leader.onUnhandled();
      for (const [seq, one] of parked) if (isPastParking(one.message) && parked.delete(seq)) begin(one);
    },
    async end(drain) {
      beginsUntil = drain ? performance.now() + DRAIN_MS : 0;
      stopping.abort();
      await messages.close();
      await chains.ended();
      clearInterval(working);
      // At once somebody else's, instead of six seconds later.
      for (const { message } of held.values()) message.nak();
      held.clear();
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
    log.debug({ err: error, consumer: durable.name }, 'what is under way could not be asked');
    return false;
  }
}
