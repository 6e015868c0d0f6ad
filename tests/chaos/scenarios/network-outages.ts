import { serviceDatabases } from '@atrium/dev-server/backing/servers/postgres-databases';
import type { FaultyProxy, NetworkConditions } from '@atrium/test-kit/faulty-proxy';
import { PROCESS_NAMES } from '@atrium/test-kit/system/start-cluster';
import { proxiedConnections, proxiesTo } from '../environments/proxied-connections.ts';
import type { Scenario } from '../scenario.ts';

/** Log lines about statements, events, and calls that a network failure interrupted. */
const EXPECTED_ERRORS = [/Request failed/, /Failed to /, /could not be/, /were lost/];

const SECONDS = 15;

type NetworkPath = { from: readonly string[]; to: string; podNumber?: number };

/** Applies network conditions to the proxies for a while. */
const degrade = (
  condition: string,
  { from, to, podNumber }: NetworkPath,
  apply: (proxy: FaultyProxy) => void,
  overrides: Partial<Scenario> & Pick<Scenario, 'affected'>,
): Scenario => ({
  name: `${from.length === 1 ? from[0] : 'every service'}${podNumber === undefined ? '' : ' (one pod)'} to ${to}: ${condition}`,
  environment: proxiedConnections,
  expectedErrors: EXPECTED_ERRORS,
  durationMs: SECONDS * 1_000,
  async cause() {
    const proxies = proxiesTo(to, from, podNumber);
    for (const proxy of proxies) apply(proxy);
    return async () => {
      for (const proxy of proxies) proxy.restore();
    };
  },
  ...overrides,
});

const stall = (proxy: FaultyProxy) => proxy.stall();
const halfOpen = (proxy: FaultyProxy) => proxy.halfOpen();
const withConditions = (conditions: NetworkConditions) => (proxy: FaultyProxy) => proxy.setConditions(conditions);
const resets = withConditions({ resets: { share: 0.7, withinBytes: 5_000 } });
const slow = withConditions({ delayMs: 30, jitterMs: 50, bytesPerSecond: 200_000 });

const SERVICES = PROCESS_NAMES.filter((name) => name !== 'gateway');

const toPostgres = serviceDatabases.flatMap((name) => {
  const path = { from: [name], to: 'postgres' };
  return [
    degrade('stalled', path, stall, { affected: [name] }),
    degrade('resets', path, resets, { affected: [name] }),
    degrade('slow', path, slow, { affected: [name] }),
  ];
});

/** Every write is acknowledged; its events are published later. */
const toNats = [
  degrade('stalled', { from: SERVICES, to: 'nats' }, stall, { affected: [] }),
  degrade('resets', { from: SERVICES, to: 'nats' }, resets, { affected: [] }),
  degrade('slow', { from: SERVICES, to: 'nats' }, slow, { affected: [] }),
  degrade('stalled', { from: ['projects'], to: 'nats', podNumber: 1 }, stall, { affected: [] }),
];

const toOthers = [
  degrade('stalled', { from: ['chat'], to: 'redis' }, stall, { affected: [] }),
  degrade('resets', { from: ['chat'], to: 'redis' }, resets, { affected: [] }),
  degrade('stalled', { from: ['gateway'], to: 'redis' }, stall, { affected: [] }),
  degrade('stalled', { from: ['notifications'], to: 'mongo' }, stall, { affected: ['notifications'] }),
  degrade('resets', { from: ['notifications'], to: 'mongo' }, resets, { affected: ['notifications'] }),
  degrade('stalled', { from: ['documents'], to: 'objects' }, stall, { affected: ['documents'] }),
  degrade('resets', { from: ['documents'], to: 'objects' }, resets, { affected: ['documents'] }),
  degrade('half open', { from: ['notifications'], to: 'mailbox' }, halfOpen, { affected: [] }),
  degrade('stalled', { from: ['notifications'], to: 'mailbox' }, stall, { affected: [], allowsDuplicateEmails: true }),
  degrade(
    'resets',
    { from: ['notifications'], to: 'mailbox' },
    withConditions({ resets: { share: 0.5, withinBytes: 400 } }),
    {
      affected: [],
      allowsDuplicateEmails: true,
    },
  ),
];

const toServices = SERVICES.flatMap((name) => {
  const path = { from: ['gateway'], to: name };
  return [
    degrade('delayed by 2 s', path, withConditions({ delayMs: 2_000, jitterMs: 200 }), { affected: [name] }),
    degrade('resets', path, resets, { affected: [name] }),
    degrade('stalled', path, stall, { affected: [name] }),
  ];
});

export const networkOutages: readonly Scenario[] = [
  ...toPostgres,
  degrade('stalled', { from: ['projects'], to: 'postgres', podNumber: 1 }, stall, { affected: ['projects'] }),
  ...toNats,
  ...toOthers,
  ...toServices,
];
