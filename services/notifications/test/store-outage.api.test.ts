import { notificationsAudit } from '@atrium/proto-events/events/audit';
import { invitationCreated } from '@atrium/proto-events/events/auth';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildInvitation, startNotifications, type TestUsers } from './factories.ts';
import { emailsTo } from './mailbox.ts';
import { startMongoProxy } from './mongo-proxy.ts';

let storeProxy: FaultyProxy;
let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  storeProxy = await createFaultyProxy(await testMongo('cut-off'));
  // The service must start without its store.
  storeProxy.cut();
  ({ service, users } = await startNotifications({ MONGO_URL: storeProxy.url }));
});
afterAll(async () => {
  await service.close();
  await storeProxy.close();
});

const callList = () => service.call('GET', '/notifications', { as: users.member });
const fetchReadiness = async () => (await fetch(`${service.url}/readyz`)).json() as Promise<{ status: string }>;
const waitUntilRecovered = () =>
  waitFor(async () => (await callList()).status === 200, { description: 'the list to recover' });

describe('without its store, the notifications service', () => {
  it('starts, responds 503 with a readable message, and recovers automatically', async () => {
    const { status, body, headers } = await callList();
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(body).toMatchObject({
      code: 'unavailable',
      message: 'Notifications are not available right now. Please try again in a moment.',
    });
    expect((await fetchReadiness()).status).toBe('degraded');
    // Denials do not wait: if the store is unavailable, the record goes through NATS and is stored later.
    expect((await service.call('GET', '/activity', { as: users.member })).status).toBe(403);
    await service.waitForEvent(notificationsAudit, ({ userId }) => userId === users.member._id);
    storeProxy.restore();
    await waitUntilRecovered();
    const listActions = async () => {
      const { body: page } = await service.call('GET', `/activity?user=${users.member._id}`, { as: users.admin });
      return (page as { data: { action: string }[] }).data.map(({ action }) => action);
    };
    await waitFor(async () => (await listActions()).includes('security.access.denied'), { description: 'the denial' });
  });

  it('loses no event and sends its email once when the store recovers', async () => {
    storeProxy.cut();
    expect((await callList()).status).toBe(503);
    const body = { before: '2083-01-01T00:00:00.000Z' };
    const markResponse = await service.call('POST', '/notifications/read', { as: users.member, body });
    expect(markResponse.status).toBe(503);
    const invitation = await buildInvitation(users.admin._id);
    const delivery = service.deliver(invitationCreated, invitation, 2);
    await waitFor(async () => (await fetchReadiness()).status === 'degraded', {
      description: 'the health check to report it',
    });
    storeProxy.restore();
    await delivery;
    await service.waitForEvent(emailDelivered, (data) => data.about === invitation.invitationId);
    expect(await emailsTo(invitation.email)).toHaveLength(1);
    await waitUntilRecovered();
  });
});

describe('a store whose inserts fail', () => {
  const openResources = closeAfterEach();

  it.each(['error 1', 'disconnect'] as const)(
    'turns no event into a dead letter during an outage with %s',
    async (fault) => {
      const proxy = await startMongoProxy(await testMongo('troubled'));
      const { service: faultyService, users: faultyUsers } = await startNotifications(
        { MONGO_URL: proxy.url },
        { attempts: 2 },
      );
      openResources.push(proxy, faultyService);
      await waitFor(
        async () => (await faultyService.call('GET', '/notifications', { as: faultyUsers.member })).status === 200,
        {
          description: 'the store to be available',
        },
      );
      proxy.setFault(fault);
      const invitation = await buildInvitation(faultyUsers.admin._id);
      const delivery = faultyService.deliver(invitationCreated, invitation);
      await waitFor(() => proxy.failedCount() > 2, { description: 'more attempts than allowed' });
      proxy.setFault(undefined);
      await delivery;
      await faultyService.waitForEvent(emailDelivered, (data) => data.about === invitation.invitationId);
      expect(await emailsTo(invitation.email)).toHaveLength(1);
      // A dead letter would be published as a second event.
      expect(faultyService.countPublished(invitationCreated)).toBe(1);
    },
  );
});
