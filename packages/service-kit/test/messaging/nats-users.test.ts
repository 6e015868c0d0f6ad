import { openBucket } from '@atrium/service-kit/directory/bucket';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { feedDirectory, openDirectoryBucket } from '@atrium/service-kit/directory/directory-feed';
import { createRevocations, feedRevocations } from '@atrium/service-kit/directory/revocations';
import { startLeadership } from '@atrium/service-kit/messaging/leadership';
import { connectMessaging, ensureStream, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';
import { type PrivateNats, startPrivateNats } from '../private-nats.ts';

let nats: PrivateNats;
const open: Messaging[] = [];

beforeAll(async () => {
  nats = await startPrivateNats({ natsPrefix: 'atrium' });
});
afterAll(async () => {
  for (const { connection } of open) await connection.close();
  await nats.close();
});

async function connectAs(service: string): Promise<Messaging> {
  const access = readNatsAccess({
    NATS_URL: nats.url,
    NATS_USER: service,
    NATS_PASSWORD: nats.password(service),
  });
  const messaging = await connectMessaging({
    url: nats.url,
    access,
    prefix: 'atrium',
    replicas: 1,
    name: service,
    log: quiet,
  });
  open.push(messaging);
  return messaging;
}

const event = JSON.stringify({ id: 'forged' });
const REFUSED = /permissions violation/i;

describe('the NATS of a start', () => {
  it('answers nobody without credentials, and nobody with those of another', async () => {
    const connect = (access?: ReturnType<typeof readNatsAccess>) =>
      connectMessaging({
        url: nats.url,
        ...(access ? { access } : {}),
        prefix: 'atrium',
        replicas: 1,
        name: 'chat',
        log: quiet,
      });
    await expect(connect()).rejects.toThrow(/authorization/i);
    const wrong = { NATS_URL: nats.url, NATS_USER: 'users', NATS_PASSWORD: nats.password('chat') };
    await expect(connect(readNatsAccess(wrong))).rejects.toThrow(/authorization/i);
  });

  it('is not spoken to in clear by whoever wants an encrypted line', async () => {
    const access = readNatsAccess({ NATS_URL: nats.url.replace('nats:', 'tls:') });
    await expect(
      connectMessaging({ url: nats.url, access, prefix: 'atrium', replicas: 1, name: 'chat', log: quiet }),
    ).rejects.toThrow(/tls/i);
  });

  it('takes from a service its own subjects alone', async () => {
    const chat = await connectAs('chat');
    await ensureStream(chat, 'chat');
    await ensureStream(chat, 'users');
    await ensureStream(chat, 'audit');
    await chat.js.publish('atrium.chat.message.sent.v1', event);
    await chat.js.publish('atrium.audit.chat.recorded.v1', event);
    for (const subject of ['atrium.users.sessions.ended.v1', 'atrium.audit.users.recorded.v1', 'atrium.dead.users.x'])
      await expect(chat.js.publish(subject, event)).rejects.toThrow(REFUSED);
  });

  it('lets only users put into the directory, and only projects into the bucket of projects', async () => {
    const [users, projects, chat] = [await connectAs('users'), await connectAs('projects'), await connectAs('chat')];
    const put = async (messaging: Messaging, bucket: string) =>
      messaging.js.publish(`$KV.${bucket}.user.x`, JSON.stringify({ role: 'admin' }));
    await openDirectoryBucket(users);
    await openBucket(projects, projects.projectsBucket, 'projects');
    await put(users, users.directoryBucket);
    await put(projects, projects.projectsBucket);
    for (const other of [projects, chat]) await expect(put(other, other.directoryBucket)).rejects.toThrow(REFUSED);
    for (const other of [users, chat]) await expect(put(other, other.projectsBucket)).rejects.toThrow(REFUSED);
  });

  it('lets a service follow the directory and the sessions that end, and neither change nor remove a stream of others', async () => {
    const chat = await connectAs('chat');
    const feed = await feedDirectory(createDirectory(), chat, { log: quiet, confirmEveryMs: 10_000 });
    const revoked = await feedRevocations(createRevocations(), chat, quiet);
    await Promise.all([feed.close(), revoked.close()]);
    const { streams, consumers } = chat.manager;
    await expect(streams.delete('atrium_users')).rejects.toThrow(REFUSED);
    await expect(streams.purge('atrium_users')).rejects.toThrow(REFUSED);
    await expect(streams.update('atrium_users', { max_age: 1e9 })).rejects.toThrow(REFUSED);
    await expect(consumers.delete('atrium_users', 'auth-ended-sessions')).rejects.toThrow(REFUSED);
  });

  it('lets a service take the leases of its own pods alone', async () => {
    const chat = await connectAs('chat');
    const lead = (service: string) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const leadership = startLeadership({
        messaging: chat,
        service,
        name: 'rooms',
        log: quiet,
        mayLead: async () => true,
        onTaken: () => resolve(true),
        onEnd: async () => undefined,
      });
      return { taken: promise, leadership };
    };
    const own = lead('chat');
    expect(await own.taken).toBe(true);
    await own.leadership.close();
    await expect(chat.js.publish('atrium.leases.users.accounts', 'chat')).rejects.toThrow(REFUSED);
  });

  it('lets nobody listen to what another service is answered', async () => {
    const chat = await connectAs('chat');
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    chat.connection.subscribe('_INBOX_users.>', { callback: (error) => resolve(error) });
    expect(String(await promise)).toMatch(REFUSED);
  });
});
