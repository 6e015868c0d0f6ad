import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerName } from '@atrium/dev-server/backing/server';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import type { Scenario } from '../scenario.ts';

const EXPECTED_ERRORS = [/Request failed/, /Failed to /, /could not be/, /were lost/];
const OUTAGE_MS = 20_000;

function getServerProcess({ cluster }: ChaosEnvironment, name: ServerName) {
  const serverProcess = cluster.backing.servers.get(name)?.process;
  if (!serverProcess) throw new Error(`${name} is not a managed process`);
  return serverProcess;
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

type OutageOptions = { endedBy: 'stopped' | 'killed'; clearData?: (dataDir: string) => void };

/** A backing server stops and restarts on the same port. */
const outage = (
  server: ServerName,
  { endedBy, clearData }: OutageOptions,
  overrides: Partial<Scenario> = {},
): Scenario => ({
  name: `${server} ${endedBy}${clearData ? ', restarted empty' : ''}`,
  affected: DEPENDENT_SERVICES[server],
  expectedErrors: EXPECTED_ERRORS,
  durationMs: OUTAGE_MS,
  async cause(chaos) {
    const serverProcess = getServerProcess(chaos, server);
    if (endedBy === 'killed') serverProcess.killNow();
    await serverProcess.stop();
    clearData?.(chaos.context.home);
    return () => serverProcess.start();
  },
  ...overrides,
});

const deleteData =
  (...path: string[]) =>
  (dataDir: string) =>
    rmSync(join(dataDir, ...path), { recursive: true, force: true });

export const dependencyOutages: readonly Scenario[] = [
  outage('postgres', { endedBy: 'stopped' }),
  outage('postgres', { endedBy: 'killed' }),
  outage('nats', { endedBy: 'stopped' }),
  outage('nats', { endedBy: 'killed' }),
  outage('mongo', { endedBy: 'stopped' }),
  outage('mongo', { endedBy: 'killed' }),
  outage('objects', { endedBy: 'stopped' }),
  outage('objects', { endedBy: 'killed' }),
  outage('mailbox', { endedBy: 'stopped' }, { allowsDuplicateEmails: true }),
  outage('mailbox', { endedBy: 'killed' }, { allowsDuplicateEmails: true }),
  // Redis has no persistence, so it always restarts empty.
  outage('redis', { endedBy: 'stopped', clearData: () => undefined }),
  outage('redis', { endedBy: 'killed', clearData: () => undefined }),
  outage('nats', { endedBy: 'killed', clearData: deleteData('nats', 'jetstream') }, { losesEvents: true }),
  outage(
    'mailbox',
    { endedBy: 'killed', clearData: deleteData('mailbox') },
    { allowsDuplicateEmails: true, losesEmails: true },
  ),
];
