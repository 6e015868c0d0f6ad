import { randomUUID } from 'node:crypto';
import type { Conversation } from '@atrium/proto-events/http/chat';
import { type Message, SYSTEM_SENDER } from '@atrium/proto-events/http/chat-messages';
import { buildUser } from '@atrium/test-kit/people';
import { describe, expect, it } from '@jest/globals';
import { aDirect, aGroup, ask, type People, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { aChatter } from './sockets.ts';

const UNKNOWN = 'f'.repeat(24);
const read = (as: keyof People, id: string) =>
  service.call('POST', `/chat/messages/${id}/read`, { as: people[as], body: {} });
const list = async (as: keyof People, conversation: string, query = '') =>
  (
    await ask<{ data: Message[] }>(service, people[as], [
      'GET',
      `/chat/messages?conversation=${conversation}&limit=100${query}`,
    ])
  ).data;
const readers = ({ readBy }: Message) => [readBy?.count, readBy?.users.map(({ firstName }) => firstName)];
const namesSorted = (...names: (keyof People)[]) =>
  names.sort((a, b) => people[a]._id.localeCompare(people[b]._id)).map((name) => people[name].firstName);

describe('POST /chat/messages/:id/read', () => {
  it('marks everything up to that message as read, on all devices and for the others', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const sent = [];
    for (const text of ['1', '2', '3']) sent.push(await send(service, people.member, _id, text));
    const [phone, member] = await Promise.all([aChatter(service, people.ben), aChatter(service, people.member)]);
    const [first, second] = sent;
    const answer = await read('ben', second?._id ?? '');
    expect([answer.status, answer.body]).toEqual([200, { updatedCount: 2, seq: 2 }]);
    for (const one of [phone, member]) {
      expect(await one.hears('message:read')).toEqual({ conversation: _id, user: people.ben._id, seq: 2 });
    }
    expect((await read('ben', first?._id ?? '')).body).toEqual({ updatedCount: 0, seq: 2 });
    expect(await ask<Conversation>(service, people.ben, ['GET', `/chat/conversations/${_id}`])).toMatchObject({
      lastReadSeq: 2,
      unreadCount: 1,
    });
  });

  it('is for participants only, administrators included', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const sent = await send(service, people.member, _id);
    for (const as of ['stranger', 'admin'] as const) expect((await read(as, sent._id)).status).toBe(404);
    for (const id of [UNKNOWN, 'nonsense']) expect((await read('ben', id)).status).toBe(404);
    expect((await service.call('POST', `/chat/messages/${sent._id}/read`, { body: {} })).status).toBe(401);
  });
});

describe('who has read a message', () => {
  it('follows from how far everybody has read, its sender apart', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben, people.cleo, people.stranger]);
    await send(service, people.member, _id);
    const middle = await send(service, people.ben, _id);
    const last = await send(service, people.member, _id);
    expect(last.readBy).toEqual({ count: 0, users: [] });
    await read('cleo', middle._id);
    await read('ben', last._id);
    await read('member', last._id);
    expect((await list('stranger', _id)).map(readers)).toEqual([
      [2, namesSorted('ben').concat(namesSorted('cleo'))],
      [2, namesSorted('member').concat(namesSorted('cleo'))],
      [1, ['Ben']],
    ]);
    expect((await list('ben', _id, '&after=1&before=3')).map(readers)).toEqual([[2, namesSorted('member', 'cleo')]]);
    const edited = await ask<Message>(service, people.ben, ['PATCH', `/chat/messages/${middle._id}`, { content: 'x' }]);
    expect(readers(edited)).toEqual([2, namesSorted('member', 'cleo')]);
  });

  it('is told as it is now to who sends the same message again', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const body = { conversation: _id, content: 'once', clientMessageId: randomUUID() };
    const sent = await ask<Message>(service, people.member, ['POST', '/chat/messages', body]);
    await read('ben', sent._id);
    const again = await ask<Message>(service, people.member, ['POST', '/chat/messages', body]);
    expect(again).toEqual({ ...sent, readBy: { count: 1, users: [expect.objectContaining({ _id: people.ben._id })] } });
  });

  it('counts all, and names fifty of one message, six of each in a list', async () => {
    const crowd = Array.from({ length: 70 }, (_, at) => buildUser({ firstName: `Reader ${at}` }));
    service.know(...crowd);
    const { _id } = await aGroup(service, [people.member, ...crowd]);
    await send(service, people.member, _id);
    const second = await send(service, people.member, _id);
    await service.query(
      `update participants set last_read_seq = case when user_id = any($2) then 2 else 1 end where conversation_id = $1`,
      [_id, crowd.slice(0, 4).map((reader) => reader._id)],
    );
    const [first, last] = await list('member', _id);
    expect([first?.readBy?.count, first?.readBy?.users.length]).toEqual([70, 6]);
    expect([last?.readBy?.count, last?.readBy?.users.length]).toEqual([4, 4]);
    const furthest = last?.readBy?.users.map((reader) => reader._id) ?? [];
    expect(first?.readBy?.users.map((reader) => reader._id)).toEqual(expect.arrayContaining(furthest));
    expect(first?.readBy?.users.map((reader) => reader._id)).not.toContain(people.member._id);
    await service.query('update participants set last_read_seq = 2 where conversation_id = $1', [_id]);
    const edited = await ask<Message>(service, people.member, [
      'PATCH',
      `/chat/messages/${second._id}`,
      { content: 'x' },
    ]);
    expect([edited.readBy?.count, edited.readBy?.users.length]).toEqual([70, 50]);
  });
});

describe('what one may do with a message', () => {
  const abilities = async (as: keyof People, id: string) => (await list(as, id)).map((message) => message.abilities);

  it('is told with it: one’s own may be edited and deleted, by an administrator any may be deleted', async () => {
    const group = await aGroup(service, [people.member, people.admin]);
    const sent = await send(service, people.member, group._id);
    expect(sent.abilities).toEqual({ edit: true, delete: true });
    expect(await abilities('admin', group._id)).toEqual([{ edit: false, delete: true }]);
    const direct = await aDirect(service, people.admin, people.member);
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
    const see = (as: keyof People) =>
      ask<Conversation>(service, people[as], ['GET', `/chat/conversations/${direct._id}`]);
    expect((await see('admin')).abilities.deleteMessages).toBe(true);
    expect((await see('member')).abilities.deleteMessages).toBe(false);
    for (const { _id } of await list('admin', direct._id)) {
      expect((await service.call('DELETE', `/chat/messages/${_id}`, { as: people.admin })).status).toBe(204);
    }
    expect(await abilities('admin', direct._id)).toEqual(Array(2).fill({ edit: false, delete: false }));
  });
});

describe('the type of a message', () => {
  it('is text, whatever its sender calls it', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const sent = await ask<Message>(service, people.member, [
      'POST',
      '/chat/messages',
      { conversation: _id, content: 'Your password expires', type: 'system' },
    ]);
    expect(sent.type).toBe('text');
    const rows = await service.query('select type from messages where message_id = $1', [sent._id]);
    expect(rows).toEqual([{ type: 'text' }]);
  });

  it('was anything at all in older releases, and is shown as text', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const sent = await send(service, people.member, _id);
    await service.query(`update messages set type = 'system' where message_id = $1`, [sent._id]);
    expect(await list('ben', _id)).toMatchObject([{ type: 'text', sender: { _id: people.member._id } }]);
  });

  it('is system where Atrium itself writes, which counts as unread for everybody', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    await send(service, people.member, _id);
    await service.query(
      `with bumped as (update conversations set last_seq = last_seq + 1 where conversation_id = $1 returning last_seq)
       insert into messages (conversation_id, seq, message_id, sender_id, content, type)
       select $1, last_seq, $2, $3, 'Mia has joined', 'system' from bumped`,
      [_id, randomUUID().replaceAll('-', '').slice(0, 24), SYSTEM_SENDER._id],
    );
    const [, ours] = await list('member', _id);
    expect(ours).toMatchObject({
      type: 'system',
      sender: SYSTEM_SENDER,
      abilities: { edit: false, delete: false },
    });
    const { unreadCount } = await ask<Conversation>(service, people.member, ['GET', `/chat/conversations/${_id}`]);
    expect(unreadCount).toBe(1);
  });
});

describe('the unread count', () => {
  it('counts what others deleted until it is read', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const gone = await send(service, people.member, _id);
    await send(service, people.member, _id);
    await service.call('DELETE', `/chat/messages/${gone._id}`, { as: people.member });
    const see = () => ask<Conversation>(service, people.ben, ['GET', `/chat/conversations/${_id}`]);
    expect((await see()).unreadCount).toBe(2);
    await read('ben', gone._id);
    expect((await see()).unreadCount).toBe(1);
  });
});
