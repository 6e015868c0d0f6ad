import { openBucket } from '@atrium/service-kit/directory/bucket';
import { connectMessaging, ensureStream, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { createNatsLease } from '@atrium/service-kit/messaging/nats-lease';
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

/** What a pod of users makes at its start, and the lease that it takes. */
async function start(replicas: number): Promise<true> {
  const messaging = await connectAs('users', replicas);
  for (const producer of ['users', 'dead', 'audit']) await ensureStream(messaging, producer);
  await openBucket(messaging, messaging.directoryBucket, 'users');
  const lease = createNatsLease(messaging, 'users', 'relay');
  await waitFor(() => lease.take(), { what: 'the lease to be free' });
  await lease.giveBack();
  return true;
}

it('makes as many copies of what is there as it is told, in place, with the rights that a service has', async () => {
  const made = ['atrium_users', 'atrium_dead', 'atrium_audit', 'KV_atrium_directory', 'atrium_leases'];
  // JetStream is there once the three have found each other.
  await waitFor(() => start(1), { what: 'a cluster of three', timeoutMs: 50_000 });
  const { manager } = await connectAs('operator', 1);
  const copies = () =>
    Promise.all(
      made.map(async (name) => {
        const { config, cluster: raft } = await manager.streams.info(name);
        const there = 1 + (raft?.replicas ?? []).filter(({ current }) => current).length;
        return [name, config.num_replicas, there];
      }),
    );
  // One that has just been written to may lag behind for a moment.
  const untilThere = () =>
    waitFor(async () => (await copies()).every(([, wanted, there]) => there === wanted), { what: 'all copies' });
  const wanted = async () => (await copies()).map(([name, replicas]) => [name, replicas]);
  expect(await wanted()).toEqual(made.map((name) => [name, 1]));
  await start(3);
  expect(await wanted()).toEqual(made.map((name) => [name, 3]));
  await untilThere();
  // A pod of before, which asks for one, takes none away.
  await start(1);
  expect(await wanted()).toEqual(made.map((name) => [name, 3]));
  await untilThere();
});
