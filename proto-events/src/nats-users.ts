/** What a NATS user may do, in the words of the server's configuration. */
export type NatsUser = { user: string; permissions: { publish: { allow: string[] }; subscribe: { allow: string[] } } };

type Subscriptions = Readonly<Record<string, readonly string[]>>;

/** Whose events browsers are notified of: every pod of chat reads the stream of each. Positions name them in this order (decision 35). */
export const FEED_PRODUCERS = ['users', 'projects', 'meetings', 'documents', 'chat', 'auth', 'notifications'] as const;

/** The services that speak to NATS, and the names of their subscriptions by the producer whose events they take. */
const SERVICES: Readonly<Record<string, Subscriptions>> = {
  auth: { users: ['ended-sessions'], notifications: ['deliveries'] },
  users: { auth: ['accounts'], projects: ['tasks'] },
  projects: { meetings: ['decisions'], users: ['departures'] },
  meetings: {
    projects: ['decisions'],
    chat: ['summaries'],
    notifications: ['replies'],
    users: ['departures'],
    auth: ['account-security'],
  },
  documents: { projects: ['project-people'], chat: ['saved-attachments'], users: ['departures'] },
  chat: {
    projects: ['project-conversations'],
    chat: ['rooms'],
    meetings: ['summaries'],
    users: ['departures'],
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

/** Every service that publishes events; each has a stream of its own. */
export const PRODUCERS: readonly string[] = Object.keys(SERVICES);
/** Key-value buckets, and the one service that may write to each. */
export const BUCKETS = { directory: 'users', projects: 'projects' } as const;
/** Whose events each pod of a service follows by ephemeral consumers. */
const FOLLOWS: Subscriptions = { chat: FEED_PRODUCERS };
/** Streams to which every service publishes under its own name. */
export const SHARED_STREAMS = ['dead', 'audit'] as const;
/** The stream of the leases that the pods of one service take from each other. */
export const LEASES = 'leases';
/** A mirror of the revocations in the stream of auth, so that nobody who follows them can read anything else of auth. */
export const REVOCATIONS = 'revocations';
/** The subject of revocations, below the prefix. */
export const SESSION_REVOKED = 'auth.session.revoked.v1';
/** The NATS user of the step that creates and widens streams and buckets; no service has its rights. */
export const STREAMS_USER = 'streams';

/** Whether a service's NATS user may have that subscription; a service that is not listed is a test's. */
export function canSubscribe(service: string, producer: string, name: string): boolean {
  const known = SERVICES[service];
  return known === undefined || (known[producer] ?? []).includes(name);
}

/** Names of all streams, and of the streams behind the buckets. */
export const streamNames = (prefix: string): string[] => [
  ...[...PRODUCERS, ...SHARED_STREAMS, LEASES, REVOCATIONS].map((name) => `${prefix}_${name}`),
  ...Object.keys(BUCKETS).map((name) => `KV_${prefix}_${name}`),
];

/**
 * The NATS user of each service, and the one that creates streams. A service publishes its own subjects alone and consumes by its own
 * durables. It can neither create nor change a stream: JetStream itself carries out the `republish`, `sources`, or `mirror` of a stream,
 * beyond the rights of the user who asked for it (decision 14). Only users writes to the directory, only projects to the bucket of
 * projects. The launcher and the manifests of a cluster are both made from this list. A user named in `second` gets another user with the
 * same rights, such as `chat_2`, so that its password can be changed while pods with either are running. Throws on an unknown name there.
 */
export function natsUsers(prefix: string, second: readonly string[] = []): NatsUser[] {
  const first = [...PRODUCERS.map((service) => serviceUser(prefix, service, service)), streamsUser(prefix)];
  const unknown = second.find((name) => !first.some(({ user }) => user === name));
  if (unknown !== undefined) throw new Error(`Unknown NATS user "${unknown}"`);
  const others = second.map((name) =>
    name === STREAMS_USER
      ? { ...streamsUser(prefix), user: `${STREAMS_USER}_2` }
      : serviceUser(prefix, name, `${name}_2`),
  );
  return [...first, ...others];
}

const streamsUser = (prefix: string): NatsUser => ({
  user: STREAMS_USER,
  permissions: {
    publish: {
      allow: streamNames(prefix).flatMap((stream) =>
        ['INFO', 'CREATE', 'UPDATE', 'DELETE'].map((call) => `$JS.API.STREAM.${call}.${stream}`),
      ),
    },
    subscribe: { allow: [`${inboxPrefix(STREAMS_USER)}.>`] },
  },
});

const serviceUser = (prefix: string, service: string, user: string): NatsUser => ({
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
  const owned = Object.entries(BUCKETS).flatMap(([name, owner]) => (owner === service ? [`${prefix}_${name}`] : []));
  const api = (call: string) => `$JS.API.${call}`;
  return [
    `${prefix}.${service}.>`,
    ...SHARED_STREAMS.map((name) => `${prefix}.${name}.${service}.>`),
    ...own(prefix, service),
    `${inboxPrefix(service)}.>`,
    ...owned.map((bucket) => `$KV.${bucket}.>`),
    api('INFO'),
    ...streamNames(prefix).map((stream) => api(`STREAM.INFO.${stream}`)),
    api(`STREAM.MSG.GET.${prefix}_${LEASES}`),
    ...consumed.flatMap(([producer, names]) =>
      names.flatMap((name) => durable(`${prefix}_${producer}`, `${service}-${name}`)),
    ),
    ...follow(`${prefix}_${REVOCATIONS}`, `${prefix}.${SESSION_REVOKED}`),
    ...(FOLLOWS[service] ?? []).flatMap((producer) => follow(`${prefix}_${producer}`, `${prefix}.${producer}.>`)),
    ...Object.keys(BUCKETS).flatMap((name) => watch(`KV_${prefix}_${name}`, `$KV.${prefix}_${name}.>`)),
  ];
}

const durable = (stream: string, name: string) => [
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${name}`,
  `$JS.API.CONSUMER.INFO.${stream}.${name}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`,
  `$JS.ACK.${stream}.${name}.>`,
];

/** By an ephemeral consumer of the process. */
const follow = (stream: string, subject: string) => [
  `$JS.API.CONSUMER.CREATE.${stream}.*.${subject}`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
];

const watch = (stream: string, subjects: string) => [
  `$JS.API.CONSUMER.CREATE.${stream}.*.${subjects}`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  `$JS.FC.${stream}.>`,
];
