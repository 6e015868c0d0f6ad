import { randomUUID } from 'node:crypto';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { type Message, SYSTEM_SENDER } from '@atrium/proto-events/http/chat/messages';
import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

const UNKNOWN = 'f'.repeat(24);
const read = (as: keyof People, id: string) =>
  service.call('POST', `/chat/messages/${id}/read`, { as: people[as], body: {} });
const list = async (as: keyof People, conversation: string, query = '') =>
  (
    await request<{ data: Message[] }>(service, people[as], [
      'GET',
      `/chat/messages?conversation=${conversation}&limit=100${query}`,
    ])
  ).data;
const toReaders = ({ readBy }: Message) => [readBy?.count, readBy?.users.map(({ firstName }) => firstName)];
const sortNames = (...names: (keyof People)[]) =>
  names.sort((a, b) => people[a]._id.localeCompare(people[b]._id)).map((name) => people[name].firstName);

describe('POST /chat/messages/:id/read', () => {
  it('marks everything up to the message as read, and sends that to all devices and participants', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessages = [];
    for (const text of ['1', '2', '3']) sentMessages.push(await send(service, people.member, _id, text));
    const [phone, member] = await Promise.all([connectChat(service, people.ben), connectChat(service, people.member)]);
    const [firstMessage, secondMessage] = sentMessages;
    const response = await read('ben', secondMessage?._id ?? '');
    expect([response.status, response.body]).toEqual([200, { updatedCount: 2, seq: 2 }]);
    for (const socket of [phone, member]) {
      expect(await socket.receives('message:read')).toEqual({ conversation: _id, user: people.ben._id, seq: 2 });
    }
    expect((await read('ben', firstMessage?._id ?? '')).body).toEqual({ updatedCount: 0, seq: 2 });
    expect(await request<Conversation>(service, people.ben, ['GET', `/chat/conversations/${_id}`])).toMatchObject({
      lastReadSeq: 2,
      unreadCount: 1,
    });
  });

  it('responds with 404 to non-participants, including administrators', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessage = await send(service, people.member, _id);
    for (const as of ['stranger', 'admin'] as const) expect((await read(as, sentMessage._id)).status).toBe(404);
    for (const id of [UNKNOWN, 'nonsense']) expect((await read('ben', id)).status).toBe(404);
    expect((await service.call('POST', `/chat/messages/${sentMessage._id}/read`, { body: {} })).status).toBe(401);
  });
});

describe('the readers of a message', () => {
  it('follow from the read positions of all participants except the sender', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo, people.stranger]);
    await send(service, people.member, _id);
    const middleMessage = await send(service, people.ben, _id);
    const lastMessage = await send(service, people.member, _id);
    expect(lastMessage.readBy).toEqual({ count: 0, users: [] });
    await read('cleo', middleMessage._id);
    await read('ben', lastMessage._id);
    await read('member', lastMessage._id);
    expect((await list('stranger', _id)).map(toReaders)).toEqual([
      [2, sortNames('ben').concat(sortNames('cleo'))],
      [2, sortNames('member').concat(sortNames('cleo'))],
      [1, ['Ben']],
    ]);
    expect((await list('ben', _id, '&after=1&before=3')).map(toReaders)).toEqual([[2, sortNames('member', 'cleo')]]);
    const editedMessage = await request<Message>(service, people.ben, [
      'PATCH',
      `/chat/messages/${middleMessage._id}`,
      { content: 'x' },
    ]);
    expect(toReaders(editedMessage)).toEqual([2, sortNames('member', 'cleo')]);
  });

  it('are current in the response to a retry', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const body = { conversation: _id, content: 'once', clientMessageId: randomUUID() };
    const sentMessage = await request<Message>(service, people.member, ['POST', '/chat/messages', body]);
    await read('ben', sentMessage._id);
    const retriedMessage = await request<Message>(service, people.member, ['POST', '/chat/messages', body]);
    expect(retriedMessage).toEqual({
      ...sentMessage,
      readBy: { count: 1, users: [expect.objectContaining({ _id: people.ben._id })] },
    });
  });

  it('are all counted, with 50 names for a single message and 6 per message in a list', async () => {
    const otherUsers = Array.from({ length: 70 }, (_, index) => buildUser({ firstName: `Reader ${index}` }));
    service.addToDirectory(...otherUsers);
    const { _id } = await createGroup(service, [people.member, ...otherUsers]);
    await send(service, people.member, _id);
    const secondMessage = await send(service, people.member, _id);
    await service.query(
      `update participants set last_read_seq = case when user_id = any($2) then 2 else 1 end where conversation_id = $1`,
      [_id, otherUsers.slice(0, 4).map((reader) => reader._id)],
    );
    const [firstMessage, lastMessage] = await list('member', _id);
    expect([firstMessage?.readBy?.count, firstMessage?.readBy?.users.length]).toEqual([70, 6]);
    expect([lastMessage?.readBy?.count, lastMessage?.readBy?.users.length]).toEqual([4, 4]);
    const latestReaderIds = lastMessage?.readBy?.users.map((reader) => reader._id) ?? [];
    expect(firstMessage?.readBy?.users.map((reader) => reader._id)).toEqual(expect.arrayContaining(latestReaderIds));
    expect(firstMessage?.readBy?.users.map((reader) => reader._id)).not.toContain(people.member._id);
    await service.query('update participants set last_read_seq = 2 where conversation_id = $1', [_id]);
    const editedMessage = await request<Message>(service, people.member, [
      'PATCH',
      `/chat/messages/${secondMessage._id}`,
      { content: 'x' },
    ]);
    expect([editedMessage.readBy?.count, editedMessage.readBy?.users.length]).toEqual([70, 50]);
  });
});

describe('the abilities of a message', () => {
  const abilities = async (as: keyof People, id: string) => (await list(as, id)).map((message) => message.abilities);

  it('allow senders to edit and delete, and administrators to delete any message', async () => {
    const group = await createGroup(service, [people.member, people.admin]);
    const sentMessage = await send(service, people.member, group._id);
    expect(sentMessage.abilities).toEqual({ edit: true, delete: true });
    expect(await abilities('admin', group._id)).toEqual([{ edit: false, delete: true }]);
    const direct = await createDirect(service, people.admin, people.member);
    await send(service, people.member, direct._id);
    await send(service, people.admin, direct._id);
    expect(await abilities('member', direct._id)).toEqual([
      { edit: true, delete: true },
      { edit: false, delete: false },
    ]);
    expect(await abilities('admin', direct._id)).toEqual([
      { edit: false, delete: true },
      { edit: true, delete: true },
    ]);
    const getConversation = (as: keyof People) =>
      request<Conversation>(service, people[as], ['GET', `/chat/conversations/${direct._id}`]);
    expect((await getConversation('admin')).abilities.deleteMessages).toBe(true);
    expect((await getConversation('member')).abilities.deleteMessages).toBe(false);
    for (const { _id } of await list('admin', direct._id)) {
      expect((await service.call('DELETE', `/chat/messages/${_id}`, { as: people.admin })).status).toBe(204);
    }
    expect(await abilities('admin', direct._id)).toEqual(Array(2).fill({ edit: false, delete: false }));
  });
});

describe('the type of a message', () => {
  it('is text, even if the client sends a different type', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessage = await request<Message>(service, people.member, [
      'POST',
      '/chat/messages',
      { conversation: _id, content: 'Your password expires', type: 'system' },
    ]);
    expect(sentMessage.type).toBe('text');
    const rows = await service.query('select type from messages where message_id = $1', [sentMessage._id]);
    expect(rows).toEqual([{ type: 'text' }]);
  });

  it('is shown as text if the database contains a different value', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessage = await send(service, people.member, _id);
    await service.query(`update messages set type = 'system' where message_id = $1`, [sentMessage._id]);
    expect(await list('ben', _id)).toMatchObject([{ type: 'text', sender: { _id: people.member._id } }]);
  });

  it('is system for messages of Atrium, which count as unread', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.member, _id);
    await service.query(
      `with bumped as (update conversations set last_seq = last_seq + 1 where conversation_id = $1 returning last_seq)
       insert into messages (conversation_id, seq, message_id, sender_id, content, type)
       select $1, last_seq, $2, $3, 'Mia has joined', 'system' from bumped`,
      [_id, randomUUID().replaceAll('-', '').slice(0, 24), SYSTEM_SENDER._id],
    );
    const [, systemMessage] = await list('member', _id);
    expect(systemMessage).toMatchObject({
      type: 'system',
      sender: SYSTEM_SENDER,
      abilities: { edit: false, delete: false },
    });
    const { unreadCount } = await request<Conversation>(service, people.member, ['GET', `/chat/conversations/${_id}`]);
    expect(unreadCount).toBe(1);
  });
});

describe('the unread count', () => {
  it('includes deleted messages of others until they are read', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const deletedMessage = await send(service, people.member, _id);
    await send(service, people.member, _id);
    await service.call('DELETE', `/chat/messages/${deletedMessage._id}`, { as: people.member });
    const getConversation = () => request<Conversation>(service, people.ben, ['GET', `/chat/conversations/${_id}`]);
    expect((await getConversation()).unreadCount).toBe(2);
    await read('ben', deletedMessage._id);
    expect((await getConversation()).unreadCount).toBe(1);
  });
});
