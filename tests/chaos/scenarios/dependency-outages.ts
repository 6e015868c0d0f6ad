import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerName } from '@atrium/dev-server/backing/server';
import type { World } from '../chaos-environment.ts';
import type { Scenario } from '../scenario.ts';

const TOLD = [/a request failed/, /could not be/, /was lost/];
/** Each is away for so long. */
const AWAY_MS = 20_000;

function partOf({ cluster }: World, name: ServerName) {
  const part = cluster.backing.servers.get(name)?.part;
  if (!part) throw new Error(`${name} is no process of ours`);
  return part;
}

/** Whose calls need it. */
const NEEDED_BY: Record<ServerName, readonly string[]> = {
  postgres: ['gateway'],
  mongo: ['notifications'],
  objects: ['documents'],
  nats: [],
  redis: [],
  mailbox: [],
};

type How = { ends: 'stopped' | 'killed'; forgets?: (home: string) => void };

/** A backing server ends and comes back at the same port. */
const away = (server: ServerName, { ends, forgets }: How, more: Partial<Scenario> = {}): Scenario => ({
  name: `${server} ${ends}${forgets ? ' and back empty' : ''}`,
  affected: NEEDED_BY[server],
  provokes: TOLD,
  lastsMs: AWAY_MS,
  async cause(world) {
    const part = partOf(world, server);
    if (ends === 'killed') part.hurry();
    await part.stop();
    forgets?.(world.box.home);
    return () => part.start();
  },
  ...more,
});

const without =
  (...path: string[]) =>
  (home: string) =>
    rmSync(join(home, ...path), { recursive: true, force: true });

/** What everything stands on is taken away and brought back. */
export const partsAway: readonly Scenario[] = [
  away('postgres', { ends: 'stopped' }),
  away('postgres', { ends: 'killed' }),
  away('nats', { ends: 'stopped' }),
  away('nats', { ends: 'killed' }),
  away('mongo', { ends: 'stopped' }),
  away('mongo', { ends: 'killed' }),
  away('objects', { ends: 'stopped' }),
  away('objects', { ends: 'killed' }),
  away('mailbox', { ends: 'stopped' }, { mailsTwice: true }),
  away('mailbox', { ends: 'killed' }, { mailsTwice: true }),
  // It keeps nothing on disk: whenever it comes back it is empty.
  away('redis', { ends: 'stopped', forgets: () => undefined }),
  away('redis', { ends: 'killed', forgets: () => undefined }),
  away('nats', { ends: 'killed', forgets: without('nats', 'jetstream') }, { forgets: true }),
  away('mailbox', { ends: 'killed', forgets: without('mailbox') }, { mailsTwice: true, mailsLost: true }),
];
