import type { Overlay } from '../render-overlay.ts';

/** The network paths in docs/architecture.md: source, destination, and port. */
type Line = readonly [from: string | readonly string[], to: string | readonly string[], port: number | '53/UDP'];

const ROWS = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat'] as const;
/** `chat-files` uses the same paths as chat, except those of browsers. */
const KEEPERS = [...ROWS, 'chat-files'] as const;
const SERVICES = [...KEEPERS, 'notifications'] as const;
const JOBS = ROWS.map((service) => `migrate-${service}`);

/** DNS servers: the cluster's own, and caches on each node. */
export const NAMES = ['names', 'names-on-node', 'names-by-kubespray'] as const;
const asks = (from: readonly string[]): Line[] => [
  [from, NAMES, 53],
  [from, NAMES, '53/UDP'],
];

const PRODUCT: readonly Line[] = [
  ['gateway', SERVICES, 3000],
  [SERVICES.filter((name) => name !== 'auth'), 'auth', 3000],
  ['monitoring', SERVICES, 3000],
  ['monitoring', 'gateway', 3001],
  ...asks([...SERVICES, 'gateway', 'solver', 'streams']),
];

/** The clients of each store. */
const CLIENTS: readonly (readonly [from: readonly string[], store: string, here: number, elsewhere: number])[] = [
  [KEEPERS, 'postgres', 5432, 5432],
  [[...SERVICES, 'streams'], 'nats', 4222, 4222],
  [['chat', 'chat-files', 'gateway'], 'redis', 6379, 6379],
  [['documents', 'chat', 'chat-files', 'gateway'], 'objects', 9000, 443],
  [['notifications'], 'mongo', 27017, 27017],
  [['notifications'], 'mailbox', 1025, 587],
];

const HERE: readonly Line[] = [
  ...CLIENTS.map(([from, store, port]): Line => [from, store, port]),
  ['objects-users', 'objects', 9000],
  ...asks([...CLIENTS.map(([, store]) => store), 'objects-users']),
];
const ELSEWHERE: readonly Line[] = CLIENTS.map(([from, , , port]): Line => [from, 'stores', port]);

const MIGRATIONS: readonly Line[] = asks(JOBS);

const CONTROLLER: readonly Line[] = [
  ['ingress', ['gateway', 'chat'], 3000],
  ['ingress', 'solver', 8089],
];
/** Everyone who can reach a node can reach its ports. */
const ANYBODY = [...NAMES, 'cloud-keys', 'api-server', 'ingress', 'monitoring', 'stranger', 'stores', 'internet'];
const NODE_PORTS: readonly Line[] = [
  [ANYBODY, 'gateway', 3000],
  [ANYBODY, 'mailbox', 8025],
];

/** Receivers of traces. */
const TRACES: readonly Line[] = [[[...SERVICES, 'gateway'], 'monitoring', 4318]];

const SMALL: readonly Line[] = [...PRODUCT, ...HERE, ...MIGRATIONS, [JOBS, 'postgres', 5432], ...CONTROLLER];
const PATHS_BY_OVERLAY: Readonly<Record<Overlay, readonly Line[]>> = {
  dev: [...PRODUCT, ...HERE, ...NODE_PORTS],
  small: SMALL,
  'with-gateway-api': SMALL,
  'with-observability': [...SMALL, ...TRACES],
  large: [...PRODUCT, ...ELSEWHERE, ...MIGRATIONS, [JOBS, 'stores', 5432], ...CONTROLLER],
};

const list = (names: string | readonly string[]): readonly string[] => (typeof names === 'string' ? [names] : names);

/** Every path that an overlay must allow, as `from > to:port`; all others must be blocked. */
export const allowedPaths = (overlay: Overlay): string[] =>
  PATHS_BY_OVERLAY[overlay].flatMap(([from, to, port]) =>
    list(from).flatMap((one) => list(to).map((other) => `${one} > ${other}:${port}`)),
  );
