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
  createProjectWithConversation,
  createResource,
  expectStatus,
  getFirstAdministrator,
  createUser as joinWorkspace,
  waitForConversation,
  waitForHealth,
} from '../workspace/workspace.ts';

/** Maximum time from the restart of NATS to full recovery. */
const MAX_RECOVERY_MS = 30_000;
const BUCKETS = ['KV_atrium_directory', 'KV_atrium_projects'];

const watched = createWatchedContext();
const { context } = watched;
let system: System;
let admin: Client;
let manager: Client;
let nats: NatsConnection;
let streams: JetStreamManager['streams'];

beforeAll(async () => {
  // The streams of past events are deleted with the store.
  system = await startSystemIn(watched, { checkPublished: false });
  admin = await getFirstAdministrator(system.url);
  manager = await joinWorkspace(system.url, admin, { first: 'Manager', role: 'project_manager' });
  const { url = '', user = '', password = '' } = system.backing.addresses.nats ?? {};
  nats = await connect({ servers: url, user, pass: password, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  streams = (await jetstreamManager(nats)).streams;
});
afterAll(async () => {
  await nats?.close();
  await system?.stop();
});

async function listKeys(): Promise<string[]> {
  const infos = await Promise.all(BUCKETS.map((name) => streams.info(name, { subjects_filter: '>' })));
  return infos.flatMap(({ state }) => Object.keys(state.subjects ?? {})).sort();
}

const listPids = () => services.map(({ name }) => system.getProcess(name).pid);

const createProject = (name: string) =>
  createResource(admin, '/projects', buildProject(name, manager, { teamMembers: [admin.id] }));

describe('NATS restarted with an empty store', () => {
  it('is repopulated by the running processes: events are delivered, and every user and project is in its buckets again', async () => {
    await expectStatus(admin.call('POST', '/departments', { name: 'Cartography' }), 201);
    for (const name of ['One', 'Two', 'Three']) await createProjectWithConversation(admin, manager, name);
    const keysBefore = await waitFor(
      async () => {
        const currentKeys = await listKeys();
        // Two users, a department, three projects, and the completion marker of each bucket.
        return currentKeys.filter((key) => !key.includes('department')).length >= 7 &&
          currentKeys.filter((key) => key.endsWith('complete')).length === BUCKETS.length
          ? currentKeys
          : undefined;
      },
      { description: 'the buckets to contain every user and project' },
    );
    const pidsBefore = listPids();
    await system.stopBacking('nats');
    await createProject('Made without NATS');
    await rm(join(context.home, 'nats', 'jetstream'), { recursive: true });
    await system.startBacking('nats');
    const restartedAt = performance.now();
    await waitForConversation(manager, 'Made without NATS', MAX_RECOVERY_MS);
    await waitFor(async () => (await listKeys()).length === keysBefore.length + 1, {
      description: 'both buckets to be complete',
      timeoutMs: MAX_RECOVERY_MS - (performance.now() - restartedAt),
    });
    expect(await listKeys()).toEqual(expect.arrayContaining(keysBefore));
    await createProject('Made with an empty NATS');
    await waitForConversation(manager, 'Made with an empty NATS', MAX_RECOVERY_MS);
    expect(listPids()).toEqual(pidsBefore);
    await waitForHealth(system.url, 'ok');
    // A restarted service reads users only from the bucket.
    await system.restart('meetings');
    expect((await manager.call('GET', '/meetings')).status).toBe(200);
  });
});
