import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type NatsCluster, startNatsCluster } from '../nats-cluster.ts';
import { quiet } from '../pods.ts';

let cluster: NatsCluster;
const connections: Messaging[] = [];

beforeAll(async () => {
  cluster = await startNatsCluster();
});
afterAll(async () => {
  for (const { connection } of connections) await connection.close();
  await cluster.close();
});

async function connectAs(user: string, replicas: number): Promise<Messaging> {
  const { url, password } = cluster;
  const access = readNatsAccess({ NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password });
  const messaging = await connectMessaging({ access, prefix: 'atrium', replicas, name: user, log: quiet });
  connections.push(messaging);
  return messaging;
}

async function provision(replicas: number): Promise<true> {
  const { manager } = await connectAs('streams', replicas);
  await provisionStreams(manager, { prefix: 'atrium', replicas });
  return true;
}

it('provisionStreams adds stream replicas in place, with the permissions of its user', async () => {
  const streamNames = ['atrium_users', 'atrium_dead', 'atrium_audit', 'KV_atrium_directory', 'atrium_revocations'];
  // JetStream is available once the three servers have formed a cluster.
  await waitFor(() => provision(1), { description: 'a cluster of three' });
  const { manager } = await connectAs('operator', 1);
  const readReplicas = () =>
    Promise.all(
      streamNames.map(async (name) => {
        const { config, cluster: raft } = await manager.streams.info(name);
        const currentCount = 1 + (raft?.replicas ?? []).filter(({ current }) => current).length;
        return [name, config.num_replicas, currentCount];
      }),
    );
  // A new replica may lag behind briefly.
  const waitForReplicas = () =>
    waitFor(
      async () => (await readReplicas()).every(([, configuredCount, currentCount]) => currentCount === configuredCount),
      { description: 'all replicas' },
    );
  const readConfiguredCounts = async () => (await readReplicas()).map(([name, replicas]) => [name, replicas]);
  expect(await readConfiguredCounts()).toEqual(streamNames.map((name) => [name, 1]));
  await provision(3);
  expect(await readConfiguredCounts()).toEqual(streamNames.map((name) => [name, 3]));
  await waitForReplicas();
  // Only an operator can reduce the number of replicas.
  await provision(1);
  expect(await readConfiguredCounts()).toEqual(streamNames.map((name) => [name, 3]));
  await waitForReplicas();
});
