import { natsUsers } from '@atrium/proto-events/nats-users';
import { connectMessaging, type Messaging, requireStream } from '@atrium/service-kit/messaging/messaging';
import { readNatsAccess } from '@atrium/service-kit/messaging/nats-access';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { quiet } from '../pods.ts';
import { type PrivateNats, startPrivateNats } from '../private-nats.ts';

const NEW = 'NewWordOfChat';
const EVENT = JSON.stringify({ id: 'x' });
let nats: PrivateNats;
const open = closeAfterEach();

beforeAll(async () => {
  nats = await startPrivateNats({ natsPrefix: 'atrium' });
});
afterAll(() => nats.close());

async function connect(user: string, password: string): Promise<Messaging> {
  const access = readNatsAccess({ NATS_URL: nats.url, NATS_USER: user, NATS_PASSWORD: password });
  const options = { url: nats.url, access, prefix: 'atrium', replicas: 1, name: 'chat', log: quiet };
  const messaging = await connectMessaging(options);
  open.push(messaging.connection);
  return messaging;
}

type User = { user: string; password: string };
const withUsers = (change: (users: User[]) => User[]) => (configuration: string) =>
  configuration.replace(/^authorization: (.*)$/m, (_, granted: string) => {
    const { users } = JSON.parse(granted) as { users: User[] };
    return `authorization: ${JSON.stringify({ users: change(users) })}`;
  });

it('a password of a service can be changed through a second NATS user, while pods with either user are running', async () => {
  const before = await connect('chat', nats.password('chat'));
  await requireStream(before, 'chat');
  await before.js.publish('atrium.chat.message.sent.v1', EVENT);

  const [second] = natsUsers('atrium', ['chat']).filter(({ user }) => user === 'chat_2');
  if (!second) throw new Error('chat has no second user');
  await nats.reload(withUsers((users) => [...users, { ...second, password: NEW }]));
  const after = await waitFor(() => connect('chat_2', NEW).catch(() => undefined), { what: 'the second user' });
  // The same permissions, and the same inbox.
  await requireStream(after, 'chat');
  await after.js.publish('atrium.chat.message.sent.v1', EVENT);
  await expect(after.js.publish('atrium.users.sessions.ended.v1', EVENT)).rejects.toThrow(/permissions violation/i);
  // Connected clients are unaffected.
  await before.js.publish('atrium.chat.message.sent.v1', EVENT);

  await nats.reload(withUsers((users) => users.filter(({ user }) => user !== 'chat')));
  await waitFor(
    () =>
      connect('chat', nats.password('chat')).then(
        () => false,
        () => true,
      ),
    { what: 'the old user to be removed' },
  );
  await after.js.publish('atrium.chat.message.sent.v1', EVENT);
  expect((await after.manager.streams.info('atrium_chat')).state.messages).toBe(4);
});

it('natsUsers accepts second users for services only', () => {
  expect(() => natsUsers('atrium', ['operator'])).toThrow('Unknown NATS user "operator"');
});
