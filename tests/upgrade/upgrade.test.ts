import type { System } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import { readViews, snapshots, startFromSnapshot } from '@atrium/tools/upgrade-snapshot/snapshots';
import { captureViews, findDifferences, VIEWERS, type Viewer } from '@atrium/tools/upgrade-snapshot/views';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConsumerInfo, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Client, expectStatus, signInClient, waitForConversation } from '../workspace/workspace.ts';

// `npm run test:upgrade` uses all snapshots.
const latest = snapshots.slice(-1);

type List = { data: { _id: string; name?: string; title?: string | null }[]; total: number };

describe.each(latest)('an upgrade from commit %s', (commit) => {
  let system: System;
  let nats: NatsConnection;
  let manager: JetStreamManager;
  let clients: Record<Viewer, Client>;

  beforeAll(async () => {
    system = await startFromSnapshot(commit);
    const { url = '', user = '', password = '' } = system.backing.addresses.nats ?? {};
    nats = await connect({ servers: url, user, pass: password });
    manager = await jetstreamManager(nats);
    const signIn = async (who: Viewer) => [who, await signInClient(system.url, demoEmail(who), DEMO_PASSWORD)] as const;
    clients = Object.fromEntries(await Promise.all(VIEWERS.map(signIn))) as Record<Viewer, Client>;
  });
  afterAll(async () => {
    await nats?.close();
    await system?.stop();
  });

  const list = (path: string) => expectStatus(clients.maya.call<List>('GET', path), 200);

  async function listDurableConsumers(): Promise<ConsumerInfo[]> {
    const durableConsumers: ConsumerInfo[] = [];
    for await (const { config } of manager.streams.list()) {
      for await (const consumer of manager.consumers.list(config.name)) {
        if (consumer.config.durable_name !== undefined) durableConsumers.push(consumer);
      }
    }
    return durableConsumers;
  }

  it('leaves every list of every user unchanged', async () => {
    const viewsBefore = readViews(commit);
    expect(Object.keys(viewsBefore).length).toBeGreaterThan(30);
    expect(
      findDifferences(
        viewsBefore,
        await captureViews((who, path) => expectStatus(clients[who].call('GET', path), 200)),
      ),
    ).toEqual([]);
  });

  it('leaves the content of documents downloadable', async () => {
    const [policy] = (await list('/documents?search=Travel')).data;
    const { downloadUrl } = await expectStatus(
      clients.maya.call<{ downloadUrl: string }>('GET', `/documents/${policy?._id}`),
      200,
    );
    const file = await fetch(downloadUrl);
    expect(file.status).toBe(200);
    expect(await file.text()).toMatch(/\S/);
  });

  it('allows new messages and projects, and handles their events', async () => {
    const [channel] = (await list('/chat/conversations?limit=100')).data.filter(
      ({ title }) => title === 'design-review',
    );
    const message = { conversation: channel?._id, content: 'After the update' };
    expect((await clients.maya.call('POST', '/chat/messages', message)).status).toBe(201);
    const { body } = await clients.maya.call<List>('GET', '/users?search=Jonas');
    const project = {
      name: 'Made after the update',
      description: 'An event creates its conversation',
      projectManager: body.data[0]?._id,
      teamMembers: [],
      priority: 'low',
      status: 'not-started',
    };
    expect((await clients.maya.call('POST', '/projects', project)).status).toBe(201);
    await waitForConversation(clients.jonas, project.name, 30_000);
  });

  it('resumes every consumer', async () => {
    await waitFor(async () => (await listDurableConsumers()).every(({ num_waiting }) => num_waiting > 0), {
      description: 'every consumer to be idle',
      intervalMs: 250,
    });
    expect((await listDurableConsumers()).length).toBeGreaterThanOrEqual(15);
  });
});
