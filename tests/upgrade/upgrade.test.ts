import type { System } from '@atrium/local/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConsumerInfo, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Client, conversationOf, demand, signedIn } from '../flows/workspace.ts';
import { startWorld } from './start-world.ts';

/** The demo's people have one password (tools/demo). */
const PASSWORD = 'Atrium#2026';

type List = { data: { _id: string; name?: string; title?: string | null }[]; total: number };

let system: System;
let nats: NatsConnection;
let manager: JetStreamManager;
let maya: Client;
let jonas: Client;

beforeAll(async () => {
  system = await startWorld('07fd931');
  const { url = '', user = '', password = '' } = system.backing.addresses.nats ?? {};
  nats = await connect({ servers: url, user, pass: password });
  manager = await jetstreamManager(nats);
  maya = await signedIn(system.url, 'maya@atrium.example', PASSWORD);
  jonas = await signedIn(system.url, 'jonas@atrium.example', PASSWORD);
}, 240_000);
afterAll(async () => {
  await nats?.close();
  await system?.stop();
}, 90_000);

const list = (path: string) => demand(maya.call<List>('GET', path), 200);

async function durables(): Promise<ConsumerInfo[]> {
  const found: ConsumerInfo[] = [];
  for await (const { config } of manager.streams.list()) {
    for await (const consumer of manager.consumers.list(config.name)) {
      if (consumer.config.durable_name !== undefined) found.push(consumer);
    }
  }
  return found;
}

describe('the workspace of commit 07fd931', () => {
  it('is all there', async () => {
    const [projects, users, documents, conversations, meetings] = await Promise.all([
      list('/projects?limit=100'),
      list('/users?limit=100'),
      list('/documents?limit=100'),
      list('/chat/conversations?limit=100'),
      list('/meetings?from=2026-11-09T00:00:00Z&to=2026-11-12T00:00:00Z&limit=100'),
    ]);
    expect(projects.total).toBe(9);
    expect(projects.data.map(({ name }) => name)).toContain('Customer portal relaunch');
    expect(users.total).toBe(24);
    expect(documents.data.map(({ name }) => name)).toContain('Travel policy.md');
    expect(conversations.data.map(({ title }) => title)).toContain('design-review');
    expect(meetings.data.map(({ title }) => title)).toContain('Kick-off: warehouse migration');
    // The notices of that time are FerretDB's; where MongoDB runs instead, there were none.
    const { total } = await demand(jonas.call<List>('GET', '/notifications'), 200);
    expect(total > 0).toBe(system.backing.servers.get('mongo')?.origin.includes('built with Go'));
  });

  it('still gives out the bytes of a document', async () => {
    const [policy] = (await list('/documents?search=Travel')).data;
    const { downloadUrl } = await demand(maya.call<{ downloadUrl: string }>('GET', `/documents/${policy?._id}`), 200);
    const file = await fetch(downloadUrl);
    expect(file.status).toBe(200);
    expect(await file.text()).toMatch(/\S/);
  });

  it('is worked in as before: a message, a project and what follows from it', async () => {
    const [channel] = (await list('/chat/conversations?limit=100')).data.filter(
      ({ title }) => title === 'design-review',
    );
    const message = { conversation: channel?._id, content: 'After the update' };
    expect((await maya.call('POST', '/chat/messages', message)).status).toBe(201);
    const { body } = await maya.call<List>('GET', '/users?search=Jonas');
    const project = {
      name: 'Made after the update',
      description: 'Its conversation follows by an event',
      projectManager: body.data[0]?._id,
      teamMembers: [],
      priority: 'low',
      status: 'not-started',
    };
    expect((await maya.call('POST', '/projects', project)).status).toBe(201);
    await conversationOf(jonas, project.name, 30_000);
  });

  it('has every consumer at work, nothing left over and no dead letter', async () => {
    await waitFor(
      async () => {
        const busy = (await durables()).filter(
          ({ num_pending, num_ack_pending, num_waiting }) => num_pending + num_ack_pending > 0 || num_waiting === 0,
        );
        if (busy.length === 0) return true;
        throw new Error(
          busy.map(({ name, num_pending, num_waiting }) => `${name} ${num_pending} ${num_waiting}`).join(),
        );
      },
      { what: 'every consumer to be done and to wait for more', timeoutMs: 30_000, everyMs: 250 },
    );
    expect((await durables()).length).toBeGreaterThanOrEqual(18);
    expect((await manager.streams.info('atrium_dead')).state.last_seq).toBe(0);
  });
});
