import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { inboxPrefix } from '@atrium/proto-events/nats-users';
import { createDirectory } from '@atrium/service-kit/directory/directory';
import { followDirectory, openDirectoryBucket, userKey } from '@atrium/service-kit/directory/follow-directory';
import { createRevocations, followRevocations } from '@atrium/service-kit/directory/revocations';
import { followEvents } from '@atrium/service-kit/messaging/follow-events';
import { connectMessaging, type Messaging } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { publishEvent } from '../notes.ts';
import { quiet } from '../pods.ts';
import { type PrivateNats, startPrivateNats } from '../private-nats.ts';

const resources = closeAfterEach();
let nats: PrivateNats;
let operator: Messaging;
let chat: Messaging;

async function connect(user: string, name: string): Promise<Messaging> {
  const access = readNatsAccess({ NATS_URL: nats.url, NATS_USER: user, NATS_PASSWORD: nats.password(user) });
  const messaging = await connectMessaging({ access, prefix: 'atrium', replicas: 1, name, log: quiet });
  resources.push(messaging.connection);
  return messaging;
}

beforeEach(async () => {
  nats = await startPrivateNats({ natsPrefix: 'atrium' });
  resources.push(nats);
  operator = await connect('operator', 'operator');
  chat = await connect('chat', 'chat');
});

const CHAT_INBOX = `${inboxPrefix('chat')}.>`;

/**
 * Revokes the permission for every consumer subject of the chat service, after which the client never retries, and then grants it
 * again.
 */
async function endConsumers(): Promise<void> {
  const permissionError = (async () => {
    for await (const status of chat.connection.status()) if (status.type === 'error') return;
  })();
  await nats.reload((configuration) => configuration.replaceAll(`"${CHAT_INBOX}"`, '"nothing.of.chat"'));
  await permissionError;
  await nats.reload((configuration) => configuration.replaceAll('"nothing.of.chat"', `"${CHAT_INBOX}"`));
}

async function deleteConsumers(stream: string): Promise<void> {
  const names: string[] = [];
  for await (const { name } of operator.manager.consumers.list(stream)) names.push(name);
  expect(names).not.toEqual([]);
  for (const name of names) await operator.manager.consumers.delete(stream, name);
}

const revokeSession = async (): Promise<string> => {
  const sessionId = newId();
  const data = { sessionId, userId: newId(), reason: 'logout' };
  await publishEvent(operator, { event: sessionRevoked, data, aggregate: sessionId });
  return sessionId;
};

async function follow() {
  const received: string[] = [];
  const startSeqs: number[] = [];
  const following = await followEvents({
    messaging: chat,
    stream: 'auth',
    subject: 'auth.>',
    sinceMs: 60_000,
    onBegin: ({ seq }) => startSeqs.push(seq),
    onEvent: ({ data }) => received.push(sessionRevoked.data.parse(data).sessionId),
    log: quiet,
  });
  resources.push(following);
  return { received, startSeqs };
}

describe('a consumer that ends', () => {
  it('is replaced by another one that delivers each event once', async () => {
    const sessionIds = [await revokeSession(), await revokeSession()];
    const { received, startSeqs } = await follow();
    expect(received).toEqual(sessionIds);
    for (const kill of [endConsumers, () => deleteConsumers('atrium_auth')]) {
      await kill();
      sessionIds.push(await revokeSession(), await revokeSession());
      await waitFor(() => received.length >= sessionIds.length, {
        description: 'the events published after the consumer ended',
      });
    }
    sessionIds.push(await revokeSession());
    await waitFor(() => received.at(-1) === sessionIds.at(-1), { description: 'the last event' });
    expect(received).toEqual(sessionIds);
    expect(startSeqs).toEqual([0]);
  });

  it('is replaced for revocations and for the directory', async () => {
    const revocations = createRevocations();
    resources.push(await followRevocations(revocations, chat, quiet));
    const directory = createDirectory();
    let emptiedCount = 0;
    directory.onEmptied(() => {
      emptiedCount += 1;
    });
    resources.push(await followDirectory(directory, chat, { log: quiet, confirmIntervalMs: 60_000 }));
    await endConsumers();
    const sessionId = await revokeSession();
    const user = buildUser();
    await (await openDirectoryBucket(operator)).put(userKey(user._id), JSON.stringify(user));
    await waitFor(() => revocations.has(sessionId), { description: 'the revocation' });
    await waitFor(() => directory.user(user._id), { description: 'the user' });
    expect(emptiedCount).toBe(0);
  });
});
