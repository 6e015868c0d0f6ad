import { AckPolicy, type ConsumerInfo, type ConsumerUpdateConfig, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { DEAD_LETTERS, type Messaging, requireStream } from '../messaging.ts';
import { isNotFound } from '../streams.ts';
import type { Subscription } from '../subscription.ts';
import type { SubscriberPresence } from './subscriber-presence.ts';

/** For how long nothing is heard of an event under way until it is somebody else's: its pod tells that it works on it, unless it is dead. */
export const ACK_WAIT_MS = 6_000;

/** How many events of an ordered subscription may be with the leader at once: also how far it sees past an aggregate that waits. */
export const MAX_ACK_PENDING = 1_000;

/** For how long no pod must react to an event before it counts as forsaken: one may be restarting. */
const ORPHANED_AFTER_MS = 30_000;

/** The durable consumer of a subscription, as all pods of the service share it. */
export type Durable = {
  stream: string;
  name: string;
  /** Makes it, or widens it to what this pod asks for; answers whether it was made. */
  reconcile(): Promise<boolean>;
  /** Whether no pod has reacted to an event for half a minute. */
  isOrphaned(subject: string): Promise<boolean>;
  /** What others asked for, when last looked, and this pod does not react to. */
  unknown(): string[];
  info(): Promise<ConsumerInfo>;
  /** Lets so many events be under way at once, over all pods. */
  setMaxAckPending(inFlight: number): Promise<void>;
};

type Options = {
  service: string;
  subscription: Subscription;
  /** What this pod reacts to; full subjects. */
  subjects: string[];
  messaging: Messaging;
  subscribers: SubscriberPresence;
  orphanedAfterMs?: number;
};

/** What this pod wants of the durable. */
function wantedOf({ service, subscription, subjects }: Options) {
  return {
    durable_name: `${service}-${subscription.name}`,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: subscription.from === 'new' ? DeliverPolicy.New : DeliverPolicy.All,
    filter_subjects: subjects,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: subscription.unordered ?? MAX_ACK_PENDING,
    max_deliver: -1,
  };
}

/** Opens the durable of a subscription; the rules stand in docs/decisions/0013. */
export async function openDurable(options: Options): Promise<Durable> {
  const { subscription, subjects, messaging, subscribers, orphanedAfterMs = ORPHANED_AFTER_MS } = options;
  const { consumers, streams } = messaging.manager;
  const wanted = wantedOf(options);
  const name = wanted.durable_name;
  const ours = new Set(subjects);
  const stream = messaging.stream(subscription.producer);
  /** Since when nobody has answered for a subject that others had asked for. */
  const silentSince = new Map<string, number>();
  let unknown: string[] = [];
  /** When the stream was made that this pod has known; another one is empty but for what is new. */
  let known: string | undefined;

  const info = () => consumers.info(stream, name);
  const store = (change: ConsumerUpdateConfig) => consumers.update(stream, name, change);

  const make = async () => {
    // The server may have come back empty.
    messaging.knownStreams.clear();
    await requireStream(messaging, subscription.producer);
    await requireStream(messaging, DEAD_LETTERS);
    const { created } = await streams.info(stream);
    const isAnother = known !== undefined && known !== created;
    await consumers.add(stream, isAnother ? { ...wanted, deliver_policy: DeliverPolicy.All } : wanted);
  };

  /** Answers what all pods together ask for, and whether the durable had to be made. */
  const widen = async (): Promise<{ all: string[]; made: boolean }> => {
    const stored = await info().catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!stored) {
      await make();
      return { all: subjects, made: true };
    }
    const { config } = stored;
    const asked = config.filter_subjects ?? [];
    const all = [...new Set([...asked, ...ours])];
    // Whoever knows less than is asked for may be the older one, and leaves the rest of the settings as they are.
    const isWhole = all.length === ours.size;
    // How many events of an ordered subscription are under way is the business of whoever leads.
    const width = subscription.unordered ?? config.max_ack_pending ?? MAX_ACK_PENDING;
    const isOther = config.max_ack_pending !== width || config.ack_wait !== wanted.ack_wait;
    const settings = isWhole && isOther ? { max_ack_pending: width, ack_wait: wanted.ack_wait } : {};
    if (all.length > asked.length || (isWhole && isOther)) await store({ filter_subjects: all, ...settings });
    return { all, made: false };
  };

  const isOrphaned = async (subject: string) => {
    if (await subscribers.has(subject)) {
      silentSince.delete(subject);
      return false;
    }
    const since = silentSince.get(subject) ?? performance.now();
    silentSince.set(subject, since);
    return performance.now() - since >= orphanedAfterMs;
  };

  const reconcile = async () => {
    const { all, made } = await widen();
    known = (await streams.info(stream)).created;
    unknown = all.filter((subject) => !ours.has(subject));
    return made;
  };

  const setMaxAckPending = async (inFlight: number) => {
    const { config } = await info();
    if (config.max_ack_pending !== inFlight) await store({ max_ack_pending: inFlight });
  };

  await requireStream(messaging, DEAD_LETTERS);
  await reconcile();
  return { stream, name, reconcile, isOrphaned, unknown: () => unknown, info, setMaxAckPending };
}
