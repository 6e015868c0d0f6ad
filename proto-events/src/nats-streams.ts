import { BUCKETS, PRODUCERS, REVOCATIONS, SESSION_REVOKED, SHARED_STREAMS } from './nats-users.ts';

const MINUTE = 60e9;
const DAY = 24 * 60 * MINUTE;
const MAX_EVENT_AGE = 30 * DAY;
/** Exceeds the 31 minutes for which processes remember revocations. */
const MAX_REVOCATION_AGE = 60 * MINUTE;
/** Limits audit records, since outsiders can cause them and must not fill the store of all events. */
const MAX_AUDIT_BYTES = 256 * 1024 * 1024;

/** A stream declaration in the format of the JetStream API; durations in nanoseconds, 0 for no limit. */
export type NatsStream = {
  name: string;
  subjects?: string[];
  storage: 'file';
  retention: 'limits';
  discard: 'old' | 'new';
  max_age: number;
  duplicate_window: number;
  max_bytes?: number;
  max_msgs_per_subject?: number;
  deny_delete?: boolean;
  allow_rollup_hdrs?: boolean;
  mirror?: { name: string; filter_subject: string };
};

const BASE = { storage: 'file', retention: 'limits', discard: 'old' } as const;

/**
 * Declares a stream per producer, the shared streams, revocations, and the buckets. Only the operator command
 * (`node src/main.js streams`) creates and extends them; services cannot.
 */
export const natsStreams = (prefix: string, producers: readonly string[] = PRODUCERS): NatsStream[] => [
  ...[...producers, ...SHARED_STREAMS].map((producer) => eventStream(prefix, producer)),
  revocationStream(prefix),
  ...Object.keys(BUCKETS).map((bucket) => bucketStream(`${prefix}_${bucket}`)),
];

const eventStream = (prefix: string, producer: string): NatsStream => ({
  ...BASE,
  name: `${prefix}_${producer}`,
  subjects: [`${prefix}.${producer}.>`],
  max_age: MAX_EVENT_AGE,
  duplicate_window: 2 * MINUTE,
  ...(producer === 'audit' && { max_bytes: MAX_AUDIT_BYTES }),
});

const revocationStream = (prefix: string): NatsStream => ({
  ...BASE,
  name: `${prefix}_${REVOCATIONS}`,
  mirror: { name: `${prefix}_auth`, filter_subject: `${prefix}.${SESSION_REVOKED}` },
  max_age: MAX_REVOCATION_AGE,
  duplicate_window: 2 * MINUTE,
});

const bucketStream = (bucket: string): NatsStream => ({
  ...BASE,
  name: `KV_${bucket}`,
  subjects: [`$KV.${bucket}.>`],
  discard: 'new',
  max_msgs_per_subject: 1,
  max_age: 0,
  duplicate_window: 2 * MINUTE,
  deny_delete: true,
  allow_rollup_hdrs: true,
});
