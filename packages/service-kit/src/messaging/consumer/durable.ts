import { AckPolicy, type ConsumerInfo, type ConsumerUpdateConfig, DeliverPolicy } from '@nats-io/jetstream';
import { nanos, RequestError } from '@nats-io/transport-node';
import { DEAD_LETTERS, isNotFound, type Messaging, requireStream } from '../messaging.ts';
import type { Subscription } from '../subscription.ts';

/** Redelivery timeout of an event without acknowledgment or progress: its pod reports progress unless it is dead. */
export const ACK_WAIT_MS = 6_000;

/** Maximum unacknowledged events of an ordered subscription: also how far the leader sees past a blocked aggregate. */
export const MAX_ACK_PENDING = 1_000;

export const LEADER_GROUP = 'leader';

export const PIN_MS = 5_000;

/** How long an event must be without a handling pod before it counts as orphaned: a pod may be restarting. */
const ORPHANED_AFTER_MS = 30_000;

export type Durable = {
  stream: string;
  name: string;
  /** Creates the durable or extends it with this pod's subjects; returns whether it was created. */
  reconcile(): Promise<boolean>;
  isOrphaned(subject: string): Promise<boolean>;
  unknown(): string[];
  info(): Promise<ConsumerInfo>;
  unpin(): Promise<void>;
  setMaxAckPending(inFlight: number): Promise<void>;
};

type Options = {
  service: string;
  subscription: Subscription;
  subjects: string[];
  messaging: Messaging;
  subscribers: SubscriberPresence;
  orphanedAfterMs?: number;
};

function desiredConfig({ service, subscription, subjects }: Options) {
  return {
    durable_name: `${service}-${subscription.name}`,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: subscription.from === 'new' ? DeliverPolicy.New : DeliverPolicy.All,
    filter_subjects: subjects,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: subscription.unordered ?? MAX_ACK_PENDING,
    max_deliver: -1,
    ...(subscription.unordered === undefined && {
      priority_policy: 'pinned_client' as const,
      priority_groups: [LEADER_GROUP],
      priority_timeout: nanos(PIN_MS),
    }),
  };
}

export async function openDurable(options: Options): Promise<Durable> {
  const { subscription, subjects, messaging, subscribers, orphanedAfterMs = ORPHANED_AFTER_MS } = options;
  const { consumers, streams } = messaging.manager;
  const desired = desiredConfig(options);
  const name = desired.durable_name;
  const ours = new Set(subjects);
  const stream = messaging.stream(subscription.producer);
  const unhandledSince = new Map<string, number>();
  let unknown: string[] = [];
  /** Creation time of the known stream; another stream contains only new events. */
  let known: string | undefined;

  const info = () => consumers.info(stream, name);
  const store = (change: ConsumerUpdateConfig) => consumers.update(stream, name, change);

  const make = async () => {
    // The server may have lost its data.
    messaging.knownStreams.clear();
    await requireStream(messaging, subscription.producer);
    await requireStream(messaging, DEAD_LETTERS);
    const { created } = await streams.info(stream);
    const isAnother = known !== undefined && known !== created;
    await consumers.add(stream, isAnother ? { ...desired, deliver_policy: DeliverPolicy.All } : desired);
  };

  const extendSubjects = async (): Promise<{ all: string[]; isCreated: boolean }> => {
    const stored = await info().catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!stored) {
      await make();
      return { all: subjects, isCreated: true };
    }
    const { config } = stored;
    const existing = config.filter_subjects ?? [];
    const all = [...new Set([...existing, ...ours])];
    // A pod that does not know all subjects may be the older one, and leaves the other settings unchanged.
    const isWhole = all.length === ours.size;
    // The limit of an ordered subscription is managed by its leader.
    const width = subscription.unordered ?? config.max_ack_pending ?? MAX_ACK_PENDING;
    const isOther = config.max_ack_pending !== width || config.ack_wait !== desired.ack_wait;
    const settings = isWhole && isOther ? { max_ack_pending: width, ack_wait: desired.ack_wait } : {};
    if (all.length > existing.length || (isWhole && isOther)) await store({ filter_subjects: all, ...settings });
    return { all, isCreated: false };
  };

  const isOrphaned = async (subject: string) => {
    if (await subscribers.has(subject)) {
      unhandledSince.delete(subject);
      return false;
    }
    const since = unhandledSince.get(subject) ?? performance.now();
    unhandledSince.set(subject, since);
    return performance.now() - since >= orphanedAfterMs;
  };

  const reconcile = async () => {
    const { all, isCreated } = await extendSubjects();
    known = (await streams.info(stream)).created;
    unknown = all.filter((subject) => !ours.has(subject));
    return isCreated;
  };

  const setMaxAckPending = async (inFlight: number) => {
    const { config } = await info();
    if (config.max_ack_pending !== inFlight) await store({ max_ack_pending: inFlight });
  };

  const unpin = () => consumers.unpin(stream, name, LEADER_GROUP);

  await requireStream(messaging, DEAD_LETTERS);
  await reconcile();
  return { stream, name, reconcile, isOrphaned, unknown: () => unknown, info, unpin, setMaxAckPending };
}

const RESPONSE_TIMEOUT_MS = 2_000;

export type SubscriberPresence = {
  has(subject: string): Promise<boolean>;
  close(): void;
};

type SubscriberOptions = {
  messaging: Messaging;
  service: string;
  name: string;
  subjects: readonly string[];
};

/**
 * Responds for the subjects of this pod, and queries those of others. NATS reports missing subscribers itself, so
 * there is nothing to store, renew, or expire.
 */
export function joinSubscribers({ messaging, service, name, subjects }: SubscriberOptions): SubscriberPresence {
  const { connection } = messaging;
  const subjectOf = (subject: string) => messaging.subject(`reactors.${service}.${name}.${subject}`);
  const responders = subjects.map((subject) =>
    connection.subscribe(subjectOf(subject), { callback: (_error, message) => void message.respond() }),
  );
  return {
    async has(subject) {
      try {
        await connection.request(subjectOf(subject), undefined, { timeout: RESPONSE_TIMEOUT_MS });
        return true;
      } catch (error) {
        // A slow subscriber is still a subscriber.
        return !(error instanceof RequestError && error.isNoResponders());
      }
    },
    close() {
      for (const subscription of responders) subscription.unsubscribe();
    },
  };
}
