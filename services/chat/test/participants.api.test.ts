import { describe, expect, it } from '@jest/globals';
import { callChannel, createChannel, readChannel } from './channels.ts';
import type { People } from './factories.ts';
import { people, service } from './running-chat.ts';

type As = keyof People;

describe('the participants of a conversation', () => {
  it('are paged and searched by participants only', async () => {
    const channel = await createChannel();
    const list = (as: As, query = '') => callChannel(people[as], 'GET', `${channel}/participants${query}`);
    expect((await list('ben', '?limit=1')).body).toMatchObject({
      data: [{ user: { _id: people.member._id }, byGroup: false, removable: false }],
      total: 2,
      totalPages: 2,
    });
    expect((await list('member', '?search=BEN')).body).toMatchObject({
      data: [{ user: { _id: people.ben._id }, removable: true }],
      total: 1,
    });
    expect((await list('ben', '?search=!')).body).toMatchObject({ data: [], total: 0 });
    expect((await list('admin')).status).toBe(404);
    expect((await list('stranger')).status).toBe(404);
    expect((await list('ben', `?search=${'x'.repeat(201)}`)).status).toBe(400);
    expect((await service.call('GET', `/chat/conversations/${channel}/participants`)).status).toBe(401);
  });

  it('are added by everyone if the channel allows it', async () => {
    const channel = await createChannel();
    const addStranger = (as: As) =>
      callChannel(people[as], 'POST', `${channel}/participants`, { userId: people.stranger._id });
    expect((await addStranger('ben')).status).toBe(403);
    expect((await callChannel(people.ben, 'PATCH', channel, { addPeople: 'everyone' })).status).toBe(403);
    const { body } = await callChannel(people.member, 'PATCH', channel, { addPeople: 'everyone' });
    expect(body).toMatchObject({ addPeople: 'everyone', abilities: { addPeople: true } });
    expect((await readChannel(people.ben, channel)).abilities).toMatchObject({
      addPeople: true,
      manageParticipants: false,
    });
    expect((await addStranger('cleo')).status).toBe(404);
    expect((await addStranger('ben')).status).toBe(200);
  });
});
