import { AckPolicy, type ConsumerInfo, type ConsumerUpdateConfig, DeliverPolicy } from '@nats-io/jetstream';
import { nanos, RequestError } from '@nats-io/transport-node';
import { DEAD_LETTERS, isNotFound, type Messaging, requireStream } from '../messaging.ts';
import type { Subscription } from '../subscription.ts';

/**
 * Redelivery timeout of an event without acknowledgment or progress report. A pod reports progress unless it is dead.
 */
export const ACK_WAIT_MS = 6_000;

/**
 * Maximum unacknowledged events of an ordered subscription, which limits how far the leader sees past a blocked
 * aggregate.
 */
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
  /** Returns the subjects that other pods have added to the durable. */
  unknownSubjects(): string[];
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

function buildConfig({ service, subscription, subjects }: Options) {
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
  const desired = buildConfig(options);
  const name = desired.durable_name;
  const ownSubjects = new Set(subjects);
  const stream = messaging.stream(subscription.producer);
  const unhandledSince = new Map<string, number>();
  let unknownSubjects: string[] = [];
  /** Creation time of the stream that was last seen; a recreated stream contains only new events. */
  let lastStreamCreatedAt: string | undefined;

  const info = () => consumers.info(stream, name);
  const updateConfig = (change: ConsumerUpdateConfig) => consumers.update(stream, name, change);

  const createDurable = async () => {
    // The server may have lost its data.
    messaging.knownStreams.clear();
    await requireStream(messaging, subscription.producer);
    await requireStream(messaging, DEAD_LETTERS);
    const { created } = await streams.info(stream);
    const isRecreated = lastStreamCreatedAt !== undefined && lastStreamCreatedAt !== created;
    await consumers.add(stream, isRecreated ? { ...desired, deliver_policy: DeliverPolicy.All } : desired);
  };

  const extendSubjects = async (): Promise<{ allSubjects: string[]; isCreated: boolean }> => {
    const storedInfo = await info().catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!storedInfo) {
      await createDurable();
      return { allSubjects: subjects, isCreated: true };
    }
    const { config } = storedInfo;
    const existingSubjects = config.filter_subjects ?? [];
    const allSubjects = [...new Set([...existingSubjects, ...ownSubjects])];
    // A pod that does not know all subjects may be an older one, and leaves the other settings unchanged.
    const knowsAllSubjects = allSubjects.length === ownSubjects.size;
    // The limit of an ordered subscription is managed by its leader.
    const maxAckPending = subscription.unordered ?? config.max_ack_pending ?? MAX_ACK_PENDING;
    const hasOldSettings = config.max_ack_pending !== maxAckPending || config.ack_wait !== desired.ack_wait;
    const settings =
      knowsAllSubjects && hasOldSettings ? { max_ack_pending: maxAckPending, ack_wait: desired.ack_wait } : {};
    if (allSubjects.length > existingSubjects.length || (knowsAllSubjects && hasOldSettings))
      await updateConfig({ filter_subjects: allSubjects, ...settings });
    return { allSubjects, isCreated: false };
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
    const { allSubjects, isCreated } = await extendSubjects();
    lastStreamCreatedAt = (await streams.info(stream)).created;
    unknownSubjects = allSubjects.filter((subject) => !ownSubjects.has(subject));
    return isCreated;
  };

  const setMaxAckPending = async (inFlight: number) => {
    const { config } = await info();
    if (config.max_ack_pending !== inFlight) await updateConfig({ max_ack_pending: inFlight });
  };

  const unpin = () => consumers.unpin(stream, name, LEADER_GROUP);

  await requireStream(messaging, DEAD_LETTERS);
  await reconcile();
  return { stream, name, reconcile, isOrphaned, unknownSubjects: () => unknownSubjects, info, unpin, setMaxAckPending };
}

const RESPONSE_TIMEOUT_MS = 2_000;

export type SubscriberPresence = {
  /** Returns whether a pod, possibly this one, handles the subject. */
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
 * Responds for the subjects of this pod, and queries other pods for theirs. NATS itself reports missing subscribers, so
 * there is nothing to store, renew, or expire.
 */
export function joinSubscribers({ messaging, service, name, subjects }: SubscriberOptions): SubscriberPresence {
  const { connection } = messaging;
  const presenceSubject = (subject: string) => messaging.subject(`reactors.${service}.${name}.${subject}`);
  const responders = subjects.map((subject) =>
    connection.subscribe(presenceSubject(subject), { callback: (_error, message) => void message.respond() }),
  );
  return {
    async has(subject) {
      try {
        await connection.request(presenceSubject(subject), undefined, { timeout: RESPONSE_TIMEOUT_MS });
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
