type NatsUser = { user: string; permissions: { publish: { allow: string[] }; subscribe: { allow: string[] } } };

type Subscriptions = Readonly<Record<string, readonly string[]>>;

/**
 * Producers whose events become live updates: every chat pod with sockets reads their streams. Positions list their
 * sequences in this order.
 */
export const LIVE_PRODUCERS = ['users', 'projects', 'meetings', 'documents', 'chat', 'auth', 'notifications'] as const;

/** Services that use NATS, and the names of their subscriptions by producer. */
const SERVICES: Readonly<Record<string, Subscriptions>> = {
  auth: { users: ['ended-sessions'], notifications: ['deliveries'] },
  users: { auth: ['accounts'], projects: ['tasks'], notifications: ['unsubscribes'] },
  projects: { meetings: ['decisions'], users: ['departures'], notifications: ['replies'] },
  meetings: {
    projects: ['decisions'],
    chat: ['summaries'],
    notifications: ['replies'],
    users: ['departures'],
    auth: ['account-security'],
  },
  documents: { projects: ['project-people'], chat: ['saved-attachments'], users: ['departures'] },
  chat: {
    projects: ['project-conversations', 'tasks'],
    meetings: ['summaries'],
    users: ['departures', 'deleted-departments'],
    chat: ['recipients'],
    notifications: ['replies'],
  },
  notifications: {
    auth: ['accounts', 'account-safety'],
    users: ['administrators', 'people'],
    audit: ['security'],
    projects: ['projects'],
    meetings: ['meetings'],
    documents: ['documents'],
    chat: ['chat'],
  },
};

/** Every service that publishes events; each has its own stream. */
export const PRODUCERS: readonly string[] = Object.keys(SERVICES);
/** Key-value buckets, and the one service that can write to each. */
export const BUCKETS = { directory: 'users', projects: 'projects' } as const;
/** Producers whose events each pod of a service follows with ephemeral consumers. */
const FOLLOWS: Subscriptions = { chat: LIVE_PRODUCERS };
export const SHARED_STREAMS = ['dead', 'audit'] as const;
/** A mirror of the revocations in the auth stream, so that followers can read nothing else from that stream. */
export const REVOCATIONS = 'revocations';
/** The subject of revocations, below the prefix. */
export const SESSION_REVOKED = 'auth.session.revoked.v1';
export const STREAMS_USER = 'streams';

/** Whether a service's NATS user can have the subscription. Unlisted services belong to tests, and can have any. */
export function canSubscribe(service: string, producer: string, name: string): boolean {
  const subscriptions = SERVICES[service];
  return subscriptions === undefined || (subscriptions[producer] ?? []).includes(name);
}

export const streamNames = (prefix: string): string[] => [
  ...[...PRODUCERS, ...SHARED_STREAMS, REVOCATIONS].map((name) => `${prefix}_${name}`),
  ...Object.keys(BUCKETS).map((name) => `KV_${prefix}_${name}`),
];

/**
 * Lists the NATS users and their permissions. A service publishes only its own subjects and consumes only through its
 * own durables. It can neither create nor change a stream, since JetStream itself executes the `republish`, `sources`,
 * or `mirror` of a stream, beyond the permissions of the requesting user. Each user in `rotatedUsers` gets a second
 * user with the same permissions, such as `chat_2`, so that its password can be rotated while pods with either are
 * running. Throws on an unknown name in `rotatedUsers`.
 */
export function natsUsers(prefix: string, rotatedUsers: readonly string[] = []): NatsUser[] {
  const users = [...PRODUCERS.map((service) => serviceUser(prefix, service, service)), streamsUser(prefix)];
  const unknownUser = rotatedUsers.find((name) => !users.some(({ user }) => user === name));
  if (unknownUser !== undefined) throw new Error(`Unknown NATS user "${unknownUser}"`);
  const secondUsers = rotatedUsers.map((name) =>
    name === STREAMS_USER
      ? { ...streamsUser(prefix), user: `${STREAMS_USER}_2` }
      : serviceUser(prefix, name, `${name}_2`),
  );
  return [...users, ...secondUsers];
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
    publish: { allow: [...new Set(listPublishedSubjects(prefix, service))] },
    subscribe: { allow: [`${inboxPrefix(service)}.>`, ...internalSubjects(prefix, service)] },
  },
});

/** Prefix of the subjects on which a service receives responses; no other user can subscribe there. */
export const inboxPrefix = (service: string): string => `_INBOX_${service}`;

const internalSubjects = (prefix: string, service: string) => [
  `${prefix}.outbox.${service}`,
  `${prefix}.reactors.${service}.>`,
];

function listPublishedSubjects(prefix: string, service: string): string[] {
  const subscriptions = Object.entries(SERVICES[service] ?? {});
  const ownBuckets = Object.entries(BUCKETS).flatMap(([name, owner]) =>
    owner === service ? [`${prefix}_${name}`] : [],
  );
  const api = (call: string) => `$JS.API.${call}`;
  return [
    `${prefix}.${service}.>`,
    ...SHARED_STREAMS.map((name) => `${prefix}.${name}.${service}.>`),
    ...internalSubjects(prefix, service),
    `${inboxPrefix(service)}.>`,
    ...ownBuckets.map((bucket) => `$KV.${bucket}.>`),
    api('INFO'),
    ...streamNames(prefix).map((stream) => api(`STREAM.INFO.${stream}`)),
    ...subscriptions.flatMap(([producer, names]) =>
      names.flatMap((name) => durableSubjects(`${prefix}_${producer}`, `${service}-${name}`)),
    ),
    ...followSubjects(`${prefix}_${REVOCATIONS}`, `${prefix}.${SESSION_REVOKED}`),
    ...(FOLLOWS[service] ?? []).flatMap((producer) =>
      followSubjects(`${prefix}_${producer}`, `${prefix}.${producer}.>`),
    ),
    ...Object.keys(BUCKETS).flatMap((name) => watchSubjects(`KV_${prefix}_${name}`, `$KV.${prefix}_${name}.>`)),
  ];
}

const durableSubjects = (stream: string, name: string) => [
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${name}`,
  `$JS.API.CONSUMER.INFO.${stream}.${name}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`,
  `$JS.API.CONSUMER.UNPIN.${stream}.${name}`,
  `$JS.ACK.${stream}.${name}.>`,
];

/** Returns the subjects that an ephemeral consumer needs. */
const followSubjects = (stream: string, subject: string) => [
  `$JS.API.CONSUMER.CREATE.${stream}.*.${subject}`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
];

const watchSubjects = (stream: string, subjects: string) => [
  `$JS.API.CONSUMER.CREATE.${stream}.*.${subjects}`,
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.DELETE.${stream}.*`,
  `$JS.FC.${stream}.>`,
];
