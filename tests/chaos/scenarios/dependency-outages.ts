import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerName } from '@atrium/dev-server/backing/server';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import type { Scenario } from '../scenario.ts';

const EXPECTED_ERRORS = [/Request failed/, /Failed to /, /could not be/, /were lost/];
const OUTAGE_MS = 20_000;

function partOf({ cluster }: ChaosEnvironment, name: ServerName) {
  const part = cluster.backing.servers.get(name)?.process;
  if (!part) throw new Error(`${name} is not a managed process`);
  return part;
}

/** The services whose calls need each server. */
const DEPENDENT_SERVICES: Record<ServerName, readonly string[]> = {
  postgres: ['gateway'],
  mongo: ['notifications'],
  objects: ['documents'],
  nats: [],
  redis: [],
  mailbox: [],
};

type OutageOptions = { ends: 'stopped' | 'killed'; clearData?: (home: string) => void };

/** A backing server stops and restarts on the same port. */
const outage = (server: ServerName, { ends, clearData }: OutageOptions, more: Partial<Scenario> = {}): Scenario => ({
  name: `${server} ${ends}${clearData ? ', restarted empty' : ''}`,
  affected: DEPENDENT_SERVICES[server],
  expectedErrors: EXPECTED_ERRORS,
  durationMs: OUTAGE_MS,
  async cause(chaos) {
    const part = partOf(chaos, server);
    if (ends === 'killed') part.killNow();
    await part.stop();
    clearData?.(chaos.context.home);
    return () => part.start();
  },
  ...more,
});

const deleteData =
  (...path: string[]) =>
  (home: string) =>
    rmSync(join(home, ...path), { recursive: true, force: true });

export const dependencyOutages: readonly Scenario[] = [
  outage('postgres', { ends: 'stopped' }),
  outage('postgres', { ends: 'killed' }),
  outage('nats', { ends: 'stopped' }),
  outage('nats', { ends: 'killed' }),
  outage('mongo', { ends: 'stopped' }),
  outage('mongo', { ends: 'killed' }),
  outage('objects', { ends: 'stopped' }),
  outage('objects', { ends: 'killed' }),
  outage('mailbox', { ends: 'stopped' }, { allowsDuplicateEmails: true }),
  outage('mailbox', { ends: 'killed' }, { allowsDuplicateEmails: true }),
  // Redis has no persistence, so it always restarts empty.
  outage('redis', { ends: 'stopped', clearData: () => undefined }),
  outage('redis', { ends: 'killed', clearData: () => undefined }),
  outage('nats', { ends: 'killed', clearData: deleteData('nats', 'jetstream') }, { losesEvents: true }),
  outage(
    'mailbox',
    { ends: 'killed', clearData: deleteData('mailbox') },
    { allowsDuplicateEmails: true, losesEmails: true },
  ),
];
