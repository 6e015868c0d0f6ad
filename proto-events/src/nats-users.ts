/** What a NATS user may do, in the words of the server's configuration. */
export type NatsUser = { user: string; permissions: { publish: { allow: string[] }; subscribe: { allow: string[] } } };

type Subscriptions = Readonly<Record<string, readonly string[]>>;

/**
 * Whose events browsers hear of: every pod of chat reads the stream of each, and may. In the order in which positions name them (decision
 * 35), which browsers and pods of before know: a later release adds to its end.
 */
export const LIVE_PRODUCERS = ['users', 'projects', 'meetings', 'documents', 'chat', 'auth', 'notifications'] as const;
/** Chat's pods of before share a durable of each of these, beside those of today, who each hear everything: the next release drops them. */
export const SHARED_BEFORE = ['users', 'projects', 'meetings', 'documents', 'chat', 'auth'] as const;
const fanouts = Object.fromEntries(SHARED_BEFORE.map((producer) => [producer, [`fanout-${producer}`]]));

/** Whether a durable is one that pods of before alone take events from, and that stands still without them. */
export const isOfBefore = (durable: string): boolean => durable.startsWith('chat-fanout-');

/** The services that speak to NATS, and the names of their subscriptions by the producer whose events they take. */
const SERVICES: Readonly<Record<string, Subscriptions>> = {
  auth: { users: ['ended-sessions'], notifications: ['deliveries'] },
  users: { auth: ['accounts'], projects: ['tasks'] },
  projects: { meetings: ['decisions'], users: ['departures'] },
  meetings: { projects: ['decisions'], chat: ['summaries'], notifications: ['replies'], users: ['departures'] },
  documents: { projects: ['project-people'], chat: ['saved-attachments'], users: ['departures'] },
  chat: {
    ...fanouts,
    projects: ['project-conversations', 'fanout-projects'],
    chat: ['rooms', 'fanout-chat', 'fanout-messages'],
    meetings: ['summaries', 'fanout-meetings'],
    users: ['departures', 'fanout-users'],
  },
  notifications: {
    auth: ['accounts', 'account-safety'],
    users: ['administrators', 'people'],
    audit: ['security'],
    projects: ['projects'],
    meetings: ['meetings'],
    documents: ['documents'],
  },
};

/** Buckets, and the one service that may put into each. */
const BUCKETS = { directory: 'users', projects: 'projects' } as const;
/** Who hears every event of these producers in every pod, by passing consumers; a stream that is not there yet it makes. */
const FOLLOWS: Subscriptions = { chat: LIVE_PRODUCERS };
/** Streams into which every service publishes below its own name. */
const SHARED = ['dead', 'audit'];
/** The stream of the leases that the pods of one service take from each other. */
const LEASES = 'leases';
const SESSION_REVOKED = 'auth.session.revoked.v1';

/** Whether a service's NATS user may have that subscription; a service that is not listed is a test's. */
export function maySubscribe(service: string, producer: string, name: string): boolean {
  const known = SERVICES[service];
  return known === undefined || (known[producer] ?? []).includes(name);
}

/**
 * The NATS user of each service: it publishes its own subjects alone, makes and widens its own stream, and consumes by its own
 * durables. Only users puts into the directory, only projects into the bucket of projects. The launcher and the manifests of a
 * cluster are both made from this list. A service of which a `second` is asked for has another user with the same rights, `chat_2`, so that
 * its password can be changed while pods with either are at work. Throws on a second of no service.
 */
export function natsUsers(prefix: string, second: readonly string[] = []): NatsUser[] {
  const unknown = second.find((service) => !(service in SERVICES));
  if (unknown !== undefined) throw new Error(`There is no service "${unknown}"`);
  return [
    ...Object.keys(SERVICES).map((service) => userOf(prefix, service, service)),
    ...second.map((service) => userOf(prefix, service, `${service}_2`)),
  ];
}

const userOf = (prefix: string, service: string, user: string): NatsUser => ({
  user,
  permissions: {
    publish: { allow: [...new Set(publishes(prefix, service))] },
    subscribe: { allow: [`${inboxPrefix(service)}.>`, ...own(prefix, service)] },
  },
});

/** The first part of the subjects on which a service hears answers; nobody else may listen there. */
export const inboxPrefix = (service: string): string => `_INBOX_${service}`;

/** What the pods of one service tell each other. */
const own = (prefix: string, service: string) => [
  `${prefix}.outbox.${service}`,
  `${prefix}.reactors.${service}.>`,
  `${prefix}.leases.${service}.>`,
];

function publishes(prefix: string, service: string): string[] {
  const consumed = Object.entries(SERVICES[service] ?? {});
  const followed = FOLLOWS[service] ?? [];
  const streams = [service, ...SHARED, 'auth', ...consumed.map(([producer]) => producer), ...followed].map(
    (name) => `${prefix}_${name}`,
  );
  const buckets = Object.keys(BUCKETS).map((name) => `${prefix}_${name}`);
  const owned = Object.entries(BUCKETS).flatMap(([name, owner]) => (owner === service ? [`${prefix}_${name}`] : []));
  const api = (call: string) => `$JS.API.${call}`;
  return [
    `${prefix}.${service}.>`,
    ...SHARED.map((name) => `${prefix}.${name}.${service}.>`),
    ...own(prefix, service),
    `${inboxPrefix(service)}.>`,
    ...owned.map((bucket) => `$KV.${bucket}.>`),
    api('INFO'),
    ...[...streams, ...buckets.map((bucket) => `KV_${bucket}`)].flatMap((stream) => [
      api(`STREAM.INFO.${stream}`),
      api(`STREAM.CREATE.${stream}`),
    ]),
    ...['INFO', 'CREATE', 'UPDATE'].map((call) => api(`STREAM.${call}.${prefix}_${LEASES}`)),
    api(`STREAM.MSG.GET.${prefix}_${LEASES}`),
    ...[service, ...SHARED].map((name) => api(`STREAM.UPDATE.${prefix}_${name}`)),
    ...owned.map((bucket) => api(`STREAM.UPDATE.KV_${bucket}`)),
    ...consumed.flatMap(([producer, names]) =>
      names.flatMap((name) => durable(`${prefix}_${producer}`, `${service}-${name}`)),
    ),
    ...revocations(prefix),
    ...followed.flatMap((producer) => follow(prefix, producer)),
    ...buckets.flatMap((bucket) => watch(`KV_${bucket}`, `$KV.${bucket}.>`)),
  ];
}

const durable = (stream: string, name: string) => [
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${name}`,
  `$JS.API.CONSUMER.INFO.${stream}.${name}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`,
  `$JS.ACK.${stream}.${name}.>`,
];

/** Every process hears of every session that ends. */
const revocations = (prefix: string) => follow(prefix, 'auth', SESSION_REVOKED);

/** By a passing consumer of the process's own. */
const follow = (prefix: string, producer: string, subject = `${producer}.>`) => [
  `$JS.API.STREAM.MSG.GET.${prefix}_${producer}`,
  `$JS.API.CONSUMER.CREATE.${prefix}_${producer}.*.${prefix}.${subject}`,
  `$JS.API.CONSUMER.INFO.${prefix}_${producer}.*`,
  `$JS.API.CONSUMER.MSG.NEXT.${prefix}_${producer}.*`,
];

const watch = (stream: string, subjects: string) => [
  `$JS.API.CONSUMER.CREATE.${stream}.*.${subjects}`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  `$JS.FC.${stream}.>`,
];
