import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type NatsCluster, startNatsCluster } from '../nats-cluster.ts';
import { quiet } from '../pods.ts';

let cluster: NatsCluster;
const open: Messaging[] = [];

beforeAll(async () => {
  cluster = await startNatsCluster();
});
afterAll(async () => {
  for (const { connection } of open) await connection.close();
  await cluster.close();
});

async function connectAs(user: string, replicas: number): Promise<Messaging> {
  const { url, password } = cluster;
  const access = readNatsAccess({ NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password });
  const messaging = await connectMessaging({ url, access, prefix: 'atrium', replicas, name: user, log: quiet });
  open.push(messaging);
  return messaging;
}

async function provision(replicas: number): Promise<true> {
  const { manager } = await connectAs('streams', replicas);
  await provisionStreams(manager, { prefix: 'atrium', replicas });
  return true;
}

it('provisionStreams adds stream replicas in place, with the permissions of its user', async () => {
  const made = ['atrium_users', 'atrium_dead', 'atrium_audit', 'KV_atrium_directory', 'atrium_revocations'];
  // JetStream is available once the three servers have formed a cluster.
  await waitFor(() => provision(1), { what: 'a cluster of three', timeoutMs: 50_000 });
  const { manager } = await connectAs('operator', 1);
  const copies = () =>
    Promise.all(
      made.map(async (name) => {
        const { config, cluster: raft } = await manager.streams.info(name);
        const there = 1 + (raft?.replicas ?? []).filter(({ current }) => current).length;
        return [name, config.num_replicas, there];
      }),
    );
  // A new replica may lag behind briefly.
  const untilThere = () =>
    waitFor(async () => (await copies()).every(([, wanted, there]) => there === wanted), { what: 'all replicas' });
  const wanted = async () => (await copies()).map(([name, replicas]) => [name, replicas]);
  expect(await wanted()).toEqual(made.map((name) => [name, 1]));
  await provision(3);
  expect(await wanted()).toEqual(made.map((name) => [name, 3]));
  await untilThere();
  // Fewer replicas are up to the operator.
  await provision(1);
  expect(await wanted()).toEqual(made.map((name) => [name, 3]));
  await untilThere();
});
