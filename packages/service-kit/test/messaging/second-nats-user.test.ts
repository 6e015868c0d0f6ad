import { natsUsers } from '@atrium/proto-events/nats-users';
import { connectMessaging, type Messaging, requireStream } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';
import { type PrivateNats, startPrivateNats } from '../private-nats.ts';

const NEW_PASSWORD = 'NewPasswordOfChat';
const EVENT = JSON.stringify({ id: 'x' });
let nats: PrivateNats;
const resources = closeAfterEach();

beforeAll(async () => {
  nats = await startPrivateNats({ natsPrefix: 'atrium' });
});
afterAll(() => nats.close());

async function connect(user: string, password: string): Promise<Messaging> {
  const access = readNatsAccess({ NATS_URL: nats.url, NATS_USER: user, NATS_PASSWORD: password });
  const options = { access, prefix: 'atrium', replicas: 1, name: 'chat', log: quiet };
  const messaging = await connectMessaging(options);
  resources.push(messaging.connection);
  return messaging;
}

type User = { user: string; password: string };
const changeUsers = (change: (users: User[]) => User[]) => (configuration: string) =>
  configuration.replace(/^authorization: (.*)$/m, (_, authorization: string) => {
    const { users } = JSON.parse(authorization) as { users: User[] };
    return `authorization: ${JSON.stringify({ users: change(users) })}`;
  });

it('a password of a service can be changed through a second NATS user, while pods with either user are running', async () => {
  const firstClient = await connect('chat', nats.password('chat'));
  await requireStream(firstClient, 'chat');
  await firstClient.js.publish('atrium.chat.message.sent.v1', EVENT);

  const [secondUser] = natsUsers('atrium', ['chat']).filter(({ user }) => user === 'chat_2');
  if (!secondUser) throw new Error('chat has no second user');
  await nats.reload(changeUsers((users) => [...users, { ...secondUser, password: NEW_PASSWORD }]));
  const secondClient = await waitFor(() => connect('chat_2', NEW_PASSWORD).catch(() => undefined), {
    description: 'the second user',
  });
  // The second user has the same permissions and the same inbox.
  await requireStream(secondClient, 'chat');
  await secondClient.js.publish('atrium.chat.message.sent.v1', EVENT);
  await expect(secondClient.js.publish('atrium.users.sessions.ended.v1', EVENT)).rejects.toThrow(
    /permissions violation/i,
  );
  // Connected clients are unaffected.
  await firstClient.js.publish('atrium.chat.message.sent.v1', EVENT);

  await nats.reload(changeUsers((users) => users.filter(({ user }) => user !== 'chat')));
  await waitFor(
    () =>
      connect('chat', nats.password('chat')).then(
        () => false,
        () => true,
      ),
    { description: 'the old user to be removed' },
  );
  await secondClient.js.publish('atrium.chat.message.sent.v1', EVENT);
  expect((await secondClient.manager.streams.info('atrium_chat')).state.messages).toBe(4);
});

it('natsUsers accepts second users for services only', () => {
  expect(() => natsUsers('atrium', ['operator'])).toThrow('Unknown NATS user "operator"');
});
