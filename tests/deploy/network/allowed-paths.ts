import type { Overlay } from '../render-overlay.ts';

/** Network paths in docs/architecture.md: sources, destinations, and port. */
type PathRule = readonly [from: string | readonly string[], to: string | readonly string[], port: number | '53/UDP'];

const POSTGRES_SERVICES = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat'] as const;
/** `chat-files` uses the same paths as chat, except the paths from browsers. */
const POSTGRES_PROCESSES = [...POSTGRES_SERVICES, 'chat-files'] as const;
const SERVICES = [...POSTGRES_PROCESSES, 'notifications'] as const;
const JOBS = POSTGRES_SERVICES.map((service) => `migrate-${service}`);

/** DNS servers: the cluster's own, and caches on each node. */
export const DNS_SERVERS = ['dns', 'node-local-dns', 'kubespray-dns'] as const;
const dnsPaths = (from: readonly string[]): PathRule[] => [
  [from, DNS_SERVERS, 53],
  [from, DNS_SERVERS, '53/UDP'],
];

const PRODUCT_PATHS: readonly PathRule[] = [
  ['gateway', SERVICES, 3000],
  [SERVICES.filter((name) => name !== 'auth'), 'auth', 3000],
  ['monitoring', SERVICES, 3000],
  ['monitoring', 'gateway', 3001],
  // Push services of browsers can have any public address.
  ['notifications', ['internet', 'external-stores'], 443],
  ...dnsPaths([...SERVICES, 'gateway', 'solver', 'streams']),
];

/** The clients of each store, with its port inside the cluster and outside of it. */
const CLIENTS: readonly (readonly [
  from: readonly string[],
  store: string,
  internalPort: number,
  externalPort: number,
])[] = [
  [POSTGRES_PROCESSES, 'postgres', 5432, 5432],
  [[...SERVICES, 'streams'], 'nats', 4222, 4222],
  [['chat', 'chat-files', 'gateway'], 'redis', 6379, 6379],
  [['documents', 'chat', 'chat-files', 'gateway'], 'objects', 9000, 443],
  [['notifications'], 'mongo', 27017, 27017],
  [['notifications'], 'mailbox', 1025, 587],
];

const INTERNAL_STORE_PATHS: readonly PathRule[] = [
  ...CLIENTS.map(([from, store, port]): PathRule => [from, store, port]),
  ['objects-users', 'objects', 9000],
  ...dnsPaths([...CLIENTS.map(([, store]) => store), 'objects-users']),
];
const EXTERNAL_STORE_PATHS: readonly PathRule[] = CLIENTS.map(
  ([from, , , port]): PathRule => [from, 'external-stores', port],
);

const MIGRATION_PATHS: readonly PathRule[] = dnsPaths(JOBS);

const INGRESS_PATHS: readonly PathRule[] = [
  ['ingress', ['gateway', 'chat'], 3000],
  ['ingress', 'solver', 8089],
];
/** Everything that can reach a node can reach its ports. */
const ANY_SOURCE = [
  ...DNS_SERVERS,
  'cloud-metadata',
  'api-server',
  'ingress',
  'monitoring',
  'unrelated-pod',
  'external-stores',
  'internet',
];
const NODE_PORT_PATHS: readonly PathRule[] = [
  [ANY_SOURCE, 'gateway', 3000],
  [ANY_SOURCE, 'mailbox', 8025],
];

/** Paths to the receiver of traces. */
const TRACE_PATHS: readonly PathRule[] = [[[...SERVICES, 'gateway'], 'monitoring', 4318]];

const SMALL_PATHS: readonly PathRule[] = [
  ...PRODUCT_PATHS,
  ...INTERNAL_STORE_PATHS,
  ...MIGRATION_PATHS,
  [JOBS, 'postgres', 5432],
  ...INGRESS_PATHS,
];
const PATHS_BY_OVERLAY: Readonly<Record<Overlay, readonly PathRule[]>> = {
  dev: [...PRODUCT_PATHS, ...INTERNAL_STORE_PATHS, ...NODE_PORT_PATHS],
  small: SMALL_PATHS,
  'with-gateway-api': SMALL_PATHS,
  'with-observability': [...SMALL_PATHS, ...TRACE_PATHS],
  large: [
    ...PRODUCT_PATHS,
    ...EXTERNAL_STORE_PATHS,
    ...MIGRATION_PATHS,
    [JOBS, 'external-stores', 5432],
    ...INGRESS_PATHS,
  ],
};

const toArray = (names: string | readonly string[]): readonly string[] => (typeof names === 'string' ? [names] : names);

/** Lists every path that an overlay must allow, as `from > to:port`. All others must be blocked. */
export const allowedPaths = (overlay: Overlay): string[] =>
  PATHS_BY_OVERLAY[overlay].flatMap(([from, to, port]) =>
    toArray(from).flatMap((source) => toArray(to).map((destination) => `${source} > ${destination}:${port}`)),
  );
