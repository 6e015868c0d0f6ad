import { PRODUCERS, streamNames } from '@atrium/proto-events/nats-users';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { followDirectory } from '@atrium/service-kit/directory/follow-directory';
import { createRevocations, followRevocations } from '@atrium/service-kit/directory/revocations';
import { LEADER_GROUP } from '@atrium/service-kit/messaging/consumer/durable';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { type NatsAccess, readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StreamConfig } from '@nats-io/jetstream';
import { quiet } from '../pods.ts';
import { type PrivateNats, startPrivateNats } from '../private-nats.ts';

let nats: PrivateNats;
const connections: Messaging[] = [];

beforeAll(async () => {
  nats = await startPrivateNats({ natsPrefix: 'atrium' });
});
afterAll(async () => {
  for (const { connection } of connections) await connection.close();
  await nats.close();
});

async function connectAs(service: string): Promise<Messaging> {
  const access = readNatsAccess({
    NATS_URL: nats.url,
    NATS_USER: service,
    NATS_PASSWORD: nats.password(service),
  });
  const messaging = await connectMessaging({
    access,
    prefix: 'atrium',
    replicas: 1,
    name: service,
    log: quiet,
  });
  connections.push(messaging);
  return messaging;
}

const event = JSON.stringify({ id: 'forged' });
const INVITATION = 'atrium.auth.invitation.created.v1';

/** A raw JetStream API request; throws errors of the server. */
async function request({ connection }: Messaging, call: string, body: unknown): Promise<void> {
  const response = await connection.request(`$JS.API.${call}`, body === '' ? '' : JSON.stringify(body), {
    timeout: 5_000,
  });
  const { error } = response.json<{ error?: { description: string } }>();
  if (error) throw new Error(error.description);
}

const DENIED = /permissions violation/i;

describe('NATS with a user per service', () => {
  it('rejects clients without valid credentials', async () => {
    const connect = (access: NatsAccess) =>
      connectMessaging({ access, prefix: 'atrium', replicas: 1, name: 'chat', log: quiet });
    await expect(connect({ servers: nats.url })).rejects.toThrow(/authorization/i);
    const credentials = { NATS_URL: nats.url, NATS_USER: 'users', NATS_PASSWORD: nats.password('chat') };
    await expect(connect(readNatsAccess(credentials))).rejects.toThrow(/authorization/i);
  });

  it('is not used unencrypted by a client that requires TLS', async () => {
    const access = readNatsAccess({ NATS_URL: nats.url.replace('nats:', 'tls:') });
    await expect(connectMessaging({ access, prefix: 'atrium', replicas: 1, name: 'chat', log: quiet })).rejects.toThrow(
      /tls/i,
    );
  });

  it("accepts only a service's own subjects", async () => {
    const chat = await connectAs('chat');
    await chat.js.publish('atrium.chat.message.sent.v1', event);
    await chat.js.publish('atrium.audit.chat.recorded.v1', event);
    for (const subject of ['atrium.users.sessions.ended.v1', 'atrium.audit.users.recorded.v1', 'atrium.dead.users.x'])
      await expect(chat.js.publish(subject, event)).rejects.toThrow(DENIED);
  });

  it('lets only users write to the directory, and only projects to the bucket of projects', async () => {
    const users = await connectAs('users');
    const projects = await connectAs('projects');
    const chat = await connectAs('chat');
    const put = async (messaging: Messaging, bucket: string) =>
      messaging.js.publish(`$KV.${bucket}.user.x`, JSON.stringify({ role: 'admin' }));
    await put(users, users.directoryBucket);
    await put(projects, projects.projectsBucket);
    for (const other of [projects, chat]) await expect(put(other, other.directoryBucket)).rejects.toThrow(DENIED);
    for (const other of [users, chat]) await expect(put(other, other.projectsBucket)).rejects.toThrow(DENIED);
  });

  it('lets a service follow the directory and ended sessions', async () => {
    const chat = await connectAs('chat');
    const directoryFollower = await followDirectory(createDirectory(), chat, { log: quiet, confirmIntervalMs: 10_000 });
    const revocationFollower = await followRevocations(createRevocations(), chat, quiet);
    await Promise.all([directoryFollower.close(), revocationFollower.close()]);
  });

  it('lets a service unpin the leader of its own durables only', async () => {
    const chat = await connectAs('chat');
    const unpin = (stream: string, name: string) => chat.manager.consumers.unpin(stream, name, LEADER_GROUP);
    // Allowed: the response is that the durable does not exist.
    await expect(unpin('atrium_users', 'chat-departures')).rejects.toThrow(/not found/);
    await expect(unpin('atrium_users', 'projects-people')).rejects.toThrow(DENIED);
  });

  it("lets no client subscribe to another service's responses", async () => {
    const chat = await connectAs('chat');
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    chat.connection.subscribe('_INBOX_users.>', { callback: (error) => resolve(error) });
    expect(String(await promise)).toMatch(DENIED);
  });
});

/**
 * Stream configurations that JetStream would execute with its own permissions, or that would take over the subjects of
 * other services.
 */
const FORBIDDEN_CHANGES: readonly Partial<StreamConfig>[] = [
  { republish: { src: '>', dest: '$KV.atrium_directory.{{wildcard(1)}}' } },
  { sources: [{ name: 'atrium_auth' }] },
  { mirror: { name: 'atrium_auth' } },
  { max_msgs: 1 },
  { max_age: 1e9 },
  { subjects: ['atrium.>'] },
  { allow_direct: true },
  { subject_transform: { src: '>', dest: '$KV.atrium_directory.>' } },
];

describe.each(PRODUCERS)('the NATS user %s', (service) => {
  let serviceUser: Messaging;
  beforeAll(async () => {
    serviceUser = await connectAs(service);
  });

  it('can neither create nor change a stream, not even its own', async () => {
    for (const name of ['atrium_new', ...streamNames('atrium')])
      for (const config of FORBIDDEN_CHANGES) {
        await expect(serviceUser.manager.streams.add({ name, subjects: [`${name}.>`], ...config })).rejects.toThrow(
          DENIED,
        );
        await expect(request(serviceUser, `STREAM.UPDATE.${name}`, { name, ...config })).rejects.toThrow(DENIED);
      }
  });

  it('can neither purge nor delete a stream, nor delete a message or a consumer of it', async () => {
    for (const name of streamNames('atrium')) {
      for (const call of [
        `STREAM.PURGE.${name}`,
        `STREAM.DELETE.${name}`,
        `STREAM.SNAPSHOT.${name}`,
        `STREAM.LEADER.STEPDOWN.${name}`,
      ])
        await expect(request(serviceUser, call, {})).rejects.toThrow(DENIED);
      await expect(request(serviceUser, `STREAM.MSG.DELETE.${name}`, { seq: 1 })).rejects.toThrow(DENIED);
    }
    await expect(serviceUser.manager.consumers.delete('atrium_audit', 'notifications-security')).rejects.toThrow(
      DENIED,
    );
  });

  it('cannot read messages of a stream by sequence', async () => {
    for (const name of streamNames('atrium')) {
      await expect(request(serviceUser, `STREAM.MSG.GET.${name}`, { seq: 1 })).rejects.toThrow(DENIED);
      await expect(request(serviceUser, `DIRECT.GET.${name}`, { seq: 1 })).rejects.toThrow(DENIED);
      await expect(request(serviceUser, `DIRECT.GET.${name}.atrium.auth.invitation.created.v1`, '')).rejects.toThrow(
        DENIED,
      );
    }
  });

  it('receives invitations only if its contract allows it', async () => {
    const config = { name: 'reader', ack_policy: 'none', filter_subject: INVITATION, inactive_threshold: 1e9 };
    const calls = [
      `CONSUMER.CREATE.atrium_auth.reader.${INVITATION}`,
      `CONSUMER.CREATE.atrium_auth.reader`,
      `CONSUMER.DURABLE.CREATE.atrium_auth.reader`,
      'CONSUMER.MSG.NEXT.atrium_auth.notifications-accounts',
    ];
    // Chat notifies administrators' browsers of invitations, notifications emails them, users creates the user.
    const readers = ['chat', 'notifications', 'users'];
    if (readers.includes(service)) return;
    for (const call of calls)
      await expect(request(serviceUser, call, { stream_name: 'atrium_auth', config })).rejects.toThrow(DENIED);
  });
});

it('a NATS user cannot forge an event by having JetStream deliver to another subject: the message keeps its own', async () => {
  const chat = await connectAs('chat');
  const operator = await connectAs('operator');
  const target = '$KV.atrium_directory.user.attacked';
  await chat.js.publish('atrium.chat.forged', JSON.stringify({ _id: 'attacked', role: 'admin' }));
  const pushConsumer = { name: 'pushed', ack_policy: 'none', filter_subject: 'atrium.chat.>', deliver_subject: target };
  const create = 'CONSUMER.CREATE.atrium_chat.pushed.atrium.chat.>';
  await request(chat, create, { stream_name: 'atrium_chat', config: pushConsumer });
  await chat.connection.flush();
  // Delivered by the same server after the one above.
  await chat.js.publish('atrium.chat.after', '{}');
  const { state } = await operator.manager.streams.info('KV_atrium_directory', { subjects_filter: '$KV.>' });
  expect(Object.keys(state.subjects ?? {})).not.toContain(target);
});
