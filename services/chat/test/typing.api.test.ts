import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connectChat, emit } from './sockets.ts';

const connectAs = (as: keyof People) => connectChat(service, people[as]);

describe('typing', () => {
  it('is relayed to the other participants at a limited rate, and ends with the connection', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [member, secondDevice, ben, stranger] = await Promise.all([
      connectAs('member'),
      connectAs('member'),
      connectAs('ben'),
      connectAs('stranger'),
    ]);
    for (let index = 0; index < 5; index += 1) await member.succeeds('typing:start', { conversationId: _id });
    const { _id: user, firstName } = people.member;
    expect(await ben.receives('typing:start')).toEqual({ conversation: _id, user, firstName });
    await member.succeeds('typing:stop', { conversationId: _id });
    await ben.receives('typing:stop');
    await member.succeeds('typing:start', { conversationId: _id });
    member.socket.disconnect();
    await waitFor(() => ben.all('typing:stop').length === 2, { description: 'typing to end' });
    expect(ben.all('typing:start')).toHaveLength(2);
    expect([...secondDevice.all('typing:start'), ...stranger.all('typing:start')]).toEqual([]);
  });

  it('in a thread is relayed with its root, apart from that in the conversation', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
    const { _id: thread } = await send(service, people.ben, conversation);
    const [member, ben, stranger] = await Promise.all([connectAs('member'), connectAs('ben'), connectAs('stranger')]);
    expect(await member.emits('typing:start', { conversation, thread })).toEqual({ ok: true, data: null });
    await member.succeeds('typing:start', { conversation, thread });
    await member.succeeds('typing:start', { conversation });
    const { _id: user, firstName } = people.member;
    await ben.receives('typing:start', (event) => event.thread === undefined);
    expect(ben.all('typing:start')).toEqual([
      { conversation, thread, user, firstName },
      { conversation, user, firstName },
    ]);
    await member.succeeds('typing:stop', { conversation, thread });
    expect(await ben.receives('typing:stop')).toEqual({ conversation, thread, user });
    member.socket.disconnect();
    await ben.receives('typing:stop', (event) => event.thread === undefined);
    expect(ben.all('typing:stop')).toHaveLength(2);
    expect(await emit(stranger.socket, 'typing:start', { conversation, thread })).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(await emit(ben.socket, 'typing:start', { conversation, thread: 'x' })).toMatchObject({
      error: { code: 'validation_failed' },
    });
    expect(stranger.all('typing:start')).toEqual([]);
  });

  it('ends in the place where it began first when it is in too many', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
    const [member, ben] = await Promise.all([connectAs('member'), connectAs('ben')]);
    const threads = Array.from({ length: 21 }, newId);
    for (const started of threads) {
      await member.succeeds('typing:start', { conversation, thread: started });
      await ben.receives('typing:start', ({ thread }) => thread === started);
    }
    expect(await ben.receives('typing:stop')).toMatchObject({ thread: threads[0] });
    expect(ben.all('typing:start').map(({ thread }) => thread)).toEqual(threads);
    expect(ben.all('typing:stop')).toHaveLength(1);
  });
});
