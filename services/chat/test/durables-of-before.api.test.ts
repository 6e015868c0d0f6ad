import { userUpdated } from '@atrium/proto-events/events/users';
import { startConsumer } from '@atrium/service-kit/messaging/consumer/consumer';
import { connectMessaging } from '@atrium/service-kit/messaging/messaging';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { createLogger } from '@atrium/service-kit/observe/logger';
import { createMetrics } from '@atrium/service-kit/observe/metrics';
import { newId } from '@atrium/service-kit/process/new-id';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { startSecondPod } from './pods.ts';
import { people, service } from './running-chat.ts';

const open = closeAfterEach();
const log = createLogger('test', 'silent');

it('has NATS let go of what pods of before share once none of them takes from it, makes none, and hinders none', async () => {
  const { NATS_URL: url = '', NATS_PREFIX: prefix = '' } = service.env;
  const messaging = await connectMessaging({ url, prefix, replicas: 1, name: 'test', log });
  open.push(messaging.connection);
  const heard: string[] = [];
  const reactions = [on(userUpdated, async ({ data }) => void heard.push(data.userId))];
  const ofBefore = subscription({ name: 'fanout-users', inbox: false, unordered: 64, reactions });
  const surroundings = { service: 'chat', messaging, db: undefined, log, metrics: createMetrics('chat') };
  open.push(await startConsumer(ofBefore, surroundings));
  open.push(await startSecondPod(service, people));
  const { consumers } = messaging.manager;
  const threshold = async () =>
    (await consumers.info(messaging.stream('users'), 'chat-fanout-users')).config.inactive_threshold;
  expect(await waitFor(threshold, { what: 'its end' })).toBe(600_000_000_000);
  const userId = newId();
  await service.deliver(userUpdated, { userId, role: 'member', status: 'active', version: 2, changed: ['bio'] });
  expect(heard).toEqual([userId]);
  const names: string[] = [];
  for await (const { name } of consumers.list(messaging.stream('projects'))) names.push(name);
  expect(names.filter((name) => name.startsWith('chat-fanout-'))).toEqual([]);
});
