import { serviceDatabases } from '@atrium/dev-server/backing/servers/postgres-databases';
import type { FaultyProxy, NetworkConditions } from '@atrium/test-kit/faulty-proxy';
import { EVERY_PROCESS } from '@atrium/test-kit/system/start-cluster';
import { linesTo, onLines } from '../environments/on-lines.ts';
import type { Scenario } from '../scenario.ts';

/** Statements, events and calls that break on the way are told in the log. */
const TOLD = [/a request failed/, /could not be/, /was lost/];

const SECONDS = 15;

type Way = { from: readonly string[]; to: string; only?: number };

/** Something that lines do for a while. */
const spoiled = (
  what: string,
  { from, to, only }: Way,
  spoil: (line: FaultyProxy) => void,
  more: Partial<Scenario> & Pick<Scenario, 'affected'>,
): Scenario => ({
  name: `line of ${from.length === 1 ? from[0] : 'everybody'}${only === undefined ? '' : `, one pod,`} to ${to} ${what}`,
  place: onLines,
  provokes: TOLD,
  lastsMs: SECONDS * 1_000,
  async cause() {
    const lines = linesTo(to, from, only);
    for (const line of lines) spoil(line);
    return async () => {
      for (const line of lines) line.mend();
    };
  },
  ...more,
});

const stall = (line: FaultyProxy) => line.stall();
const halfOpen = (line: FaultyProxy) => line.halfOpen();
const carry = (manner: NetworkConditions) => (line: FaultyProxy) => line.carry(manner);
const resets = carry({ resets: { share: 0.7, withinBytes: 5_000 } });
const slow = carry({ delayMs: 30, jitterMs: 50, bytesPerSecond: 200_000 });

const SERVICES = EVERY_PROCESS.filter((name) => name !== 'gateway');

const toPostgres = serviceDatabases.flatMap((name) => {
  const way = { from: [name], to: 'postgres' };
  return [
    spoiled('stalled', way, stall, { affected: [name] }),
    spoiled('resets', way, resets, { affected: [name] }),
    spoiled('slow', way, slow, { affected: [name] }),
  ];
});

/** All that is written is acknowledged, and told later. */
const toNats = [
  spoiled('stalled', { from: SERVICES, to: 'nats' }, stall, { affected: [] }),
  spoiled('resets', { from: SERVICES, to: 'nats' }, resets, { affected: [] }),
  spoiled('slow', { from: SERVICES, to: 'nats' }, slow, { affected: [] }),
  spoiled('stalled', { from: ['projects'], to: 'nats', only: 1 }, stall, { affected: [] }),
];

const toOthers = [
  spoiled('stalled', { from: ['chat'], to: 'redis' }, stall, { affected: [] }),
  spoiled('resets', { from: ['chat'], to: 'redis' }, resets, { affected: [] }),
  spoiled('stalled', { from: ['gateway'], to: 'redis' }, stall, { affected: [] }),
  spoiled('stalled', { from: ['notifications'], to: 'mongo' }, stall, { affected: ['notifications'] }),
  spoiled('resets', { from: ['notifications'], to: 'mongo' }, resets, { affected: ['notifications'] }),
  spoiled('stalled', { from: ['documents'], to: 'objects' }, stall, { affected: ['documents'] }),
  spoiled('resets', { from: ['documents'], to: 'objects' }, resets, { affected: ['documents'] }),
  spoiled('half open', { from: ['notifications'], to: 'mailbox' }, halfOpen, { affected: [] }),
  spoiled('stalled', { from: ['notifications'], to: 'mailbox' }, stall, { affected: [], mailsTwice: true }),
  spoiled('resets', { from: ['notifications'], to: 'mailbox' }, carry({ resets: { share: 0.5, withinBytes: 400 } }), {
    affected: [],
    mailsTwice: true,
  }),
];

const toServices = SERVICES.flatMap((name) => {
  const way = { from: ['gateway'], to: name };
  return [
    spoiled('delayed by 2 s', way, carry({ delayMs: 2_000, jitterMs: 200 }), { affected: [name] }),
    spoiled('resets', way, resets, { affected: [name] }),
    spoiled('stalled', way, stall, { affected: [name] }),
  ];
});

/** What is between two parts delays, drops and resets. */
export const brokenLines: readonly Scenario[] = [
  ...toPostgres,
  spoiled('stalled', { from: ['projects'], to: 'postgres', only: 1 }, stall, { affected: ['projects'] }),
  ...toNats,
  ...toOthers,
  ...toServices,
];
