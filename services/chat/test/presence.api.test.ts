import { MAX_PRESENCE_SUBSCRIPTIONS } from '@atrium/proto-events/realtime';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import type { People } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connectChat, emit } from './sockets.ts';

const connectAs = (as: keyof People) => connectChat(service, people[as]);

const connectSubscribed = async (userName: keyof typeof people, ...userIds: string[]) => {
  const client = await connectChat(service, people[userName]);
  return { ...client, response: await client.emits('presence:subscribe', { users: userIds }) };
};

describe('presence', () => {
  it('is online with a socket, and survives a reload', async () => {
    const member = await connectSubscribed('member', people.manager._id);
    const first = await connectAs('manager');
    await member.receives('user:online', ({ user }) => user === people.manager._id);
    const { response } = await connectSubscribed('ben', people.member._id, people.manager._id, people.ben._id);
    expect(response).toMatchObject({
      data: { online: expect.arrayContaining([people.member._id, people.manager._id, people.ben._id]) },
    });
    first.socket.disconnect();
    const second = await connectAs('manager');
    second.socket.disconnect();
    const { lastSeen } = await member.receives('user:offline', ({ user }) => user === people.manager._id);
    expect(Math.abs(Date.now() - Date.parse(lastSeen))).toBeLessThan(60_000);
    expect(member.all('user:online').filter(({ user }) => user === people.manager._id)).toHaveLength(1);
  });

  const countPresenceEvents = ({ all }: Pick<Awaited<ReturnType<typeof connectChat>>, 'all'>, user: string) =>
    [...all('user:online'), ...all('user:offline')].filter((event) => event.user === user).length;

  it('is sent only to sockets that subscribed to the user', async () => {
    const unsubscribedClient = await connectAs('cleo');
    const subscribedClient = await connectSubscribed('ben', people.manager._id, people.manager._id, newId());
    const otherClient = await connectSubscribed('member', people.ben._id);
    expect(subscribedClient.response).toEqual({ ok: true, data: { online: [] } });
    expect(otherClient.response).toEqual({ ok: true, data: { online: [people.ben._id] } });
    const manager = await connectAs('manager');
    await subscribedClient.receives('user:online', ({ user }) => user === people.manager._id);
    manager.socket.disconnect();
    await subscribedClient.receives('user:offline', ({ user }) => user === people.manager._id);
    expect(
      [subscribedClient, unsubscribedClient].map((client) => countPresenceEvents(client, people.manager._id)),
    ).toEqual([2, 0]);
    expect(otherClient.all('user:online')).toEqual([]);
  });

  it('is sent for the latest subscription only', async () => {
    const ben = await connectSubscribed('ben', people.manager._id);
    expect(await ben.emits('presence:subscribe', { users: [people.stranger._id] })).toMatchObject({ ok: true });
    const manager = await connectAs('manager');
    await connectAs('stranger');
    await ben.receives('user:online', ({ user }) => user === people.stranger._id);
    expect(countPresenceEvents(ben, people.manager._id)).toBe(0);
    expect(await ben.emits('presence:subscribe', { users: [people.manager._id, people.ben._id] })).toEqual({
      ok: true,
      data: { online: expect.arrayContaining([people.manager._id, people.ben._id]) },
    });
    expect(await ben.emits('presence:subscribe', { users: [] })).toEqual({ ok: true, data: { online: [] } });
    manager.socket.disconnect();
    const memberClient = await connectSubscribed('member', people.manager._id);
    await memberClient.receives('user:offline', ({ user }) => user === people.manager._id);
    expect(countPresenceEvents(ben, people.manager._id)).toBe(0);
  });

  it('rejects subscriptions to too many users or invalid ids', async () => {
    const ben = await connectAs('ben');
    for (const users of [Array.from({ length: MAX_PRESENCE_SUBSCRIPTIONS + 1 }, newId), ['nobody'], [null]]) {
      expect(await emit(ben.socket, 'presence:subscribe', { users })).toMatchObject({
        ok: false,
        error: { code: 'validation_failed' },
      });
    }
  });

  it('is not sent to sockets that subscribed to other users, even if there are many', async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => connectSubscribed('ben', people.cleo._id)));
    const subscribedClient = await connectSubscribed('member', people.manager._id);
    await connectAs('manager');
    await subscribedClient.receives('user:online', ({ user }) => user === people.manager._id);
    expect(others.map((client) => countPresenceEvents(client, people.manager._id))).toEqual(others.map(() => 0));
  });
});
