import { randomUUID } from 'node:crypto';
import type { SharedConversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';
import { connect, connectChat, connectLive } from './sockets.ts';

const connectAs = (as: keyof People) => connectChat(service, people[as]);

describe('a message', () => {
  it('reaches all participants without joining, and the sending socket by its acknowledgment', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const [sender, phone, ben, stranger] = await Promise.all([
      connectAs('member'),
      connectAs('member'),
      connectAs('ben'),
      connectAs('stranger'),
    ]);
    const clientMessageId = randomUUID();
    const response = await sender.emits('message:send', { conversationId: _id, content: 'Hello', clientMessageId });
    expect(response).toMatchObject({ ok: true, data: { seq: 1, content: 'Hello', clientMessageId, type: 'text' } });
    const retryResponse = await sender.emits('message:send', { conversation: _id, content: 'Hello', clientMessageId });
    expect(retryResponse).toEqual(response);
    const overHttp = await send(service, people.member, _id, 'by HTTP');
    for (const client of [phone, ben]) {
      // Broadcasts do not include what belongs to one user.
      const { abilities, saved: _saved, ...broadcast } = overHttp;
      expect(abilities).toEqual({ edit: true, delete: true });
      expect(await client.receives('message:new', ({ message }) => message.seq === 2)).toEqual({ message: broadcast });
      expect(client.all('message:new').map(({ message }) => message.seq)).toEqual([1, 2]);
    }
    await sender.receives('message:new', ({ message }) => message.seq === 2);
    expect(sender.all('message:new')).toHaveLength(1);
    expect(stranger.all('message:new')).toEqual([]);
  });

  it('contains the unread count of its sender, on their sockets only, if they have not read everything', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
    const [sender, laptop, phone, ben] = await Promise.all([
      connectAs('member'),
      connectAs('member'),
      connectAs('member'),
      connectAs('ben'),
    ]);
    await send(service, people.ben, _id);
    await send(service, people.cleo, _id);
    await sender.succeeds('message:send', { conversation: _id, content: 'not read yet' });
    for (const client of [laptop, phone])
      expect(await client.receives('message:new', ({ message }) => message.seq === 3)).toMatchObject({
        unreadCount: 2,
      });
    await request(service, people.member, ['POST', `/chat/conversations/${_id}/read`, {}]);
    await send(service, people.member, _id, 'everything is read');
    for (const client of [sender, laptop, phone, ben]) {
      const broadcast = await client.receives('message:new', ({ message }) => message.seq === 4);
      expect(Object.keys(broadcast)).toEqual(['message']);
    }
    expect(ben.all('message:new').map(({ unreadCount }) => unreadCount)).toEqual(Array(4).fill(undefined));
    expect(phone.all('message:new').map(({ message }) => message.seq)).toEqual([1, 2, 3, 4]);
    expect(sender.all('message:new').map(({ message }) => message.seq)).toEqual([1, 2, 4]);
  });

  it('can be fetched by seq after a lost connection, once and in order', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectAs('ben');
    await send(service, people.member, _id, '1');
    const { message: lastMessage } = await ben.receives('message:new');
    ben.socket.io.engine.close();
    await waitFor(() => ben.socket.disconnected, { description: 'the connection to be lost' });
    for (let index = 2; index <= 11; index += 1) await send(service, people.member, _id, String(index));
    await connect(ben.socket);
    const { data } = await request<{ data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${_id}&after=${lastMessage.seq}&limit=100`,
    ]);
    expect(data.map(({ content }) => content)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
    await send(service, people.member, _id, '12');
    await ben.receives('message:new', ({ message }) => message.content === '12');
  });

  it('arrives once, even if many are sent concurrently', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectAs('ben');
    await Promise.all(Array.from({ length: 100 }, () => send(service, people.member, _id)));
    await waitFor(() => ben.all('message:new').length === 100, { description: 'all messages to be received' });
    expect(new Set(ben.all('message:new').map(({ message }) => message.seq)).size).toBe(100);
    expect(ben.all('message:new').every(({ message }) => message.attachments.length === 0)).toBe(true);
  });

  it('is broadcast when edited and deleted', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectAs('ben');
    const sentMessage = await send(service, people.member, _id, 'teh');
    await call('member', 'PATCH', `/chat/messages/${sentMessage._id}`, { content: 'the' });
    expect(await ben.receives('message:updated')).toMatchObject({
      message: { _id: sentMessage._id, content: 'the', seq: 1 },
    });
    await call('member', 'DELETE', `/chat/messages/${sentMessage._id}`);
    expect(await ben.receives('message:deleted')).toEqual({
      conversation: _id,
      message: sentMessage._id,
      seq: 1,
      revision: 2,
    });
  });
});

describe('reading messages', () => {
  it('moves the read position on all devices, and sends it to all participants, and the state to the reader', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    for (const content of ['1', '2', '3']) await send(service, people.member, _id, content);
    const [laptop, phone, member] = await Promise.all([connectAs('ben'), connectAs('ben'), connectAs('member')]);
    const { data } = await request<{ data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${_id}`,
    ]);
    const secondMessageId = data[1]?._id ?? '';
    expect(await laptop.emits('message:read', { conversation: _id, message: secondMessageId })).toEqual({
      ok: true,
      data: { updatedCount: 2, seq: 2 },
    });
    for (const client of [laptop, phone, member]) {
      expect(await client.receives('message:read')).toEqual({ conversation: _id, user: people.ben._id, seq: 2 });
    }
    await laptop.succeeds('message:read', { conversation: _id, seq: 1 });
    expect(await laptop.emits('message:read', { conversation: _id })).toEqual({
      ok: true,
      data: { updatedCount: 1, seq: 3 },
    });
    await phone.receives('message:read', ({ seq }) => seq === 3);
    expect(phone.all('message:read').map(({ seq }) => seq)).toEqual([2, 3]);
    for (const client of [laptop, phone]) {
      expect(client.all('conversation:state')).toEqual([
        { conversation: _id, lastSeq: 3, lastReadSeq: 2, unreadCount: 1, readRevision: 0 },
        { conversation: _id, lastSeq: 3, lastReadSeq: 3, unreadCount: 0, readRevision: 0 },
      ]);
    }
    expect(member.all('conversation:state')).toEqual([]);
    const otherGroup = await createGroup(service, [people.ben]);
    expect(
      await laptop.emits('message:read', { conversation: otherGroup._id, message: secondMessageId }),
    ).toMatchObject({
      ok: false,
    });
  });
});

describe('a large conversation', () => {
  it('announces changes of what everyone can do for clients to request them, and not to each of them', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await service.query(
      `insert into participants (conversation_id, user_id, last_read_seq)
       select $1, lpad(n::text, 24, '0'), 0 from generate_series(1, 200) as n`,
      [_id],
    );
    const [ben, live] = await Promise.all([connectAs('ben'), connectLive(service, people.ben)]);
    await live.subscribe(['conversations']);
    const change = (body: object) => request(service, people.member, ['PATCH', `/chat/conversations/${_id}`, body]);
    await change({ posting: 'managers' });
    await live.receives(
      ({ resource, id, action }) => resource === 'conversation' && id === _id && action === 'updated',
    );
    await change({ purpose: 'To plan' });
    await ben.receives('conversation:updated', ({ conversation }) => conversation.purpose === 'To plan');
    expect(ben.all('conversation:updated')).toHaveLength(1);
  });

  it('is broadcast with six participants and their count, and without personal fields', async () => {
    const others = Array.from({ length: 20 }, () => buildUser());
    service.addToDirectory(...others);
    const ben = await connectAs('ben');
    const group = await createGroup(service, [people.member, people.ben, ...others], 'crowded');
    const isThisConversation = ({ conversation }: { conversation: SharedConversation }) =>
      conversation._id === group._id;
    const { conversation } = await ben.receives('conversation:new', isThisConversation);
    expect(conversation).toMatchObject({ participantCount: 22, unreadCount: 0, abilities: { leave: true } });
    expect(conversation.participants).toHaveLength(6);
    await call('member', 'PATCH', `/chat/conversations/${group._id}`, { title: 'still-crowded' });
    const renamedEvent = await ben.receives('conversation:updated', isThisConversation);
    expect(renamedEvent.conversation).toMatchObject({ title: 'still-crowded', participantCount: 22 });
    expect(renamedEvent.conversation.participants).toHaveLength(6);
    for (const field of ['abilities', 'unreadCount', 'lastReadSeq'])
      expect(renamedEvent.conversation).not.toHaveProperty(field);
    expect(renamedEvent.personal).toBeUndefined();
  });
});

describe('a conversation', () => {
  it('is broadcast to its participants when created, changed, and deleted', async () => {
    const [member, ben, cleo, admin] = await Promise.all([
      connectAs('member'),
      connectAs('ben'),
      connectAs('cleo'),
      connectAs('admin'),
    ]);
    const group = await createGroup(service, [people.member, people.ben], 'lifecycle');
    const isThisConversation = ({ conversation }: { conversation: SharedConversation }) =>
      conversation._id === group._id;
    const path = `/chat/conversations/${group._id}`;
    expect((await member.receives('conversation:new', isThisConversation)).conversation.abilities.rename).toBe(true);
    expect((await ben.receives('conversation:new', isThisConversation)).conversation.abilities.rename).toBe(false);
    await send(service, people.member, group._id, 'first');
    await ben.receives('message:new', ({ message }) => message.conversation === group._id);

    await call('member', 'PATCH', path, { title: 'renamed' });
    const renamedEvent = await ben.receives('conversation:updated', isThisConversation);
    expect(renamedEvent.conversation).toMatchObject({ title: 'renamed', lastSeq: 1 });

    await call('member', 'POST', `${path}/participants`, { userId: people.cleo._id });
    expect((await cleo.receives('conversation:new', isThisConversation)).conversation).toMatchObject({
      unreadCount: 0,
      lastSeq: 1,
    });
    expect(await ben.receives('conversation:participant_added')).toMatchObject({
      conversation: group._id,
      addedUserId: people.cleo._id,
      user: { firstName: 'Cleo' },
    });
    await send(service, people.member, group._id, 'second');
    await cleo.receives('message:new', ({ message }) => message.content === 'second');
    expect(cleo.all('conversation:participant_added')).toEqual([]);

    await call('member', 'DELETE', `${path}/participants/${people.ben._id}`);
    for (const client of [ben, cleo, member]) {
      expect(await client.receives('conversation:participant_removed')).toMatchObject({
        conversation: group._id,
        removedUserId: people.ben._id,
        user: { firstName: 'Ben' },
      });
    }
    await send(service, people.member, group._id, 'third');
    await cleo.receives('message:new', ({ message }) => message.content === 'third');
    expect(ben.all('message:new').filter(({ message }) => message.content === 'third')).toEqual([]);

    await call('admin', 'DELETE', path);
    expect(await cleo.receives('conversation:deleted')).toEqual({ conversation: group._id });
    expect(ben.all('conversation:deleted')).toEqual([]);
    expect(admin.all('conversation:new').filter(isThisConversation)).toEqual([]);
  });
});
