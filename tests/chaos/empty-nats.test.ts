import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { services } from '@atrium/dev-server/system/services';
import { createWatchedContext, type System, startSystemIn } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { buildProject } from '../workspace/builders.ts';
import {
  type Client,
  conversationOf,
  create,
  createProjectWithConversation,
  expectStatus,
  firstAdministrator,
  join as joinWorkspace,
  waitForHealth,
} from '../workspace/workspace.ts';

/** Maximum time from the restart of NATS to full recovery. */
const MAX_RECOVERY_MS = 30_000;
const BUCKETS = ['KV_atrium_directory', 'KV_atrium_projects'];

const watched = createWatchedContext();
const { box } = watched;
let system: System;
let admin: Client;
let manager: Client;
let nats: NatsConnection;
let streams: JetStreamManager['streams'];

beforeAll(async () => {
  // The streams of past events are deleted with the store.
  system = await startSystemIn(watched, { checkPublished: false });
  admin = await firstAdministrator(system.url);
  manager = await joinWorkspace(system.url, admin, { first: 'Manager', role: 'project_manager' });
  const { url = '', user = '', password = '' } = system.backing.addresses.nats ?? {};
  nats = await connect({ servers: url, user, pass: password, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  streams = (await jetstreamManager(nats)).streams;
}, 600_000);
afterAll(async () => {
  await nats?.close();
  await system?.stop();
});

async function keys(): Promise<string[]> {
  const found = await Promise.all(BUCKETS.map((name) => streams.info(name, { subjects_filter: '>' })));
  return found.flatMap(({ state }) => Object.keys(state.subjects ?? {})).sort();
}

const processes = () => services.map(({ name }) => system.part(name).pid);

const makeProject = (name: string) =>
  create(admin, '/projects', buildProject(name, manager, { teamMembers: [admin.id] }));

describe('NATS restarted with an empty store', () => {
  it('is repopulated by the running processes: events are delivered, and every user, department, and project is known', async () => {
    await expectStatus(admin.call('POST', '/departments', { name: 'Cartography' }), 201);
    for (const name of ['One', 'Two', 'Three']) await createProjectWithConversation(admin, manager, name);
    const before = await waitFor(
      async () => {
        const all = await keys();
        // Two users, a department, three projects, and the completion marker of each bucket.
        return all.filter((key) => !key.includes('department')).length >= 7 &&
          all.filter((key) => key.endsWith('complete')).length === BUCKETS.length
          ? all
          : undefined;
      },
      { description: 'every user and project to be known' },
    );
    const running = processes();
    await system.stopBacking('nats');
    await makeProject('Made without NATS');
    await rm(join(box.home, 'nats', 'jetstream'), { recursive: true });
    await system.startBacking('nats');
    const restartedAt = performance.now();
    await conversationOf(manager, 'Made without NATS', MAX_RECOVERY_MS);
    await waitFor(async () => (await keys()).length === before.length + 1, {
      description: 'both buckets to be complete',
      timeoutMs: MAX_RECOVERY_MS - (performance.now() - restartedAt),
    });
    expect(await keys()).toEqual(expect.arrayContaining(before));
    await makeProject('Made afterwards');
    await conversationOf(manager, 'Made afterwards', MAX_RECOVERY_MS);
    expect(processes()).toEqual(running);
    await waitForHealth(system.url, 'ok');
    // A newly started service reads every user from the bucket alone.
    await system.restart('meetings');
    expect((await manager.call('GET', '/meetings')).status).toBe(200);
  }, 240_000);
});
