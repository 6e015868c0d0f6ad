import { randomUUID } from 'node:crypto';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FollowedThread } from '@atrium/proto-events/http/chat/threads';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb, type Db } from '@atrium/service-kit/postgres/postgres';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { holdLock } from './locks.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;

const bodyOf = (root: Message, content: string, extra: object = {}) => ({
  ...{ conversation: root.conversation, thread: root._id, content },
  ...extra,
});
const reply = (as: As, root: Message, content: string, extra?: object) =>
  request<Message>(service, people[as], ['POST', '/chat/messages', bodyOf(root, content, extra)]);
const get = <T>(as: As, path: string) => request<T>(service, people[as], ['GET', path]);
const findRoot = (as: As, root: Message) => get<Message>(as, `/chat/messages/${root._id}`);
const listThreadIds = async (as: As) =>
  (await get<{ data: FollowedThread[] }>(as, '/chat/threads?limit=100')).data.map(({ _id }) => _id);

const waitForLocks = (count: number) =>
  waitFor(
    async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await service.query(waiting)).length === count;
    },
    { description: `${count} statements to wait for a lock` },
  );

let db: Db;
beforeAll(() => {
  db = createDb(service.env.DATABASE_URL ?? '', 1, createLogger('test', 'silent'));
});
afterAll(() => db.pool.end());

async function startThread() {
  const { _id } = await createGroup(service, [people.member, people.ben, people.cleo]);
  return send(service, people.member, _id, 'Where do we meet?');
}

describe('a thread', () => {
  it('is followed by the author of its root, also if someone else followed it before the first reply', async () => {
    const root = await startThread();
    await call('ben', 'PUT', `/chat/messages/${root._id}/follow`);
    await reply('cleo', root, 'first');
    expect((await findRoot('member', root)).thread).toMatchObject({ followed: true, unreadCount: 1 });
    await call('member', 'DELETE', `/chat/messages/${root._id}/follow`);
    await reply('cleo', root, 'second');
    expect((await findRoot('member', root)).thread).toMatchObject({ followed: false });
  });

  it('is as read as the conversation for users who rejoin it', async () => {
    const root = await startThread();
    await reply('ben', root, 'one');
    await call('ben', 'POST', `/chat/conversations/${root.conversation}/leave`);
    await reply('cleo', root, 'two');
    await reply('cleo', root, 'three');
    const path = `/chat/conversations/${root.conversation}/participants`;
    await request(service, people.member, ['POST', path, { userId: people.ben._id }]);
    expect((await findRoot('ben', root)).thread).toMatchObject({ followed: true, unreadCount: 0 });
    await reply('cleo', root, 'four');
    expect((await findRoot('ben', root)).thread).toMatchObject({ followed: true, unreadCount: 1 });
  });

  it('has nothing unread if all of its replies are deleted', async () => {
    const root = await startThread();
    const only = await reply('ben', root, 'one');
    expect(await listThreadIds('member')).toContain(root._id);
    await call('ben', 'DELETE', `/chat/messages/${only._id}`);
    expect((await findRoot('member', root)).thread).toMatchObject({ replyCount: 0, followed: true, unreadCount: 0 });
    expect(await listThreadIds('member')).not.toContain(root._id);
  });

  it('cannot be followed once its root is deleted, also at the same time', async () => {
    const root = await startThread();
    const lock = 'select from conversations where conversation_id = $1 for update';
    const release = await holdLock(db, lock, [root.conversation]);
    const deletion = call('member', 'DELETE', `/chat/messages/${root._id}`);
    await waitForLocks(1);
    const following = call('ben', 'PUT', `/chat/messages/${root._id}/follow`);
    await waitForLocks(2);
    await release();
    expect((await deletion).status).toBe(204);
    expect((await following).status).toBe(409);
    expect(await service.query('select from threads where thread_id = $1', [root._id])).toEqual([]);
  });

  it('is removed with its conversation, without delaying searches for new messages', async () => {
    const root = await startThread();
    await reply('ben', root, 'one', { alsoInConversation: true });
    const countIndexed = async () => {
      const [row] = await service.query('select last_value from search_queue_position_seq');
      return row?.last_value;
    };
    const before = await countIndexed();
    await call('admin', 'DELETE', `/chat/conversations/${root.conversation}`);
    const remains = `select from messages where conversation_id in ($1, $2)
      union all select from threads where thread_id = $1 union all select from thread_followers where thread_id = $1
      union all select from deleted_conversations where conversation_id in ($1, $2)`;
    await waitFor(async () => (await service.query(remains, [root._id, root.conversation])).length === 0, {
      description: 'everything to be removed',
    });
    expect(await countIndexed()).toBe(before);
  });
});

describe('a reply', () => {
  it('that the conversation shows, too, can be marked as read there', async () => {
    const root = await startThread();
    const shown = await reply('ben', root, 'For everyone', { alsoInConversation: true });
    const { emits } = await connectChat(service, people.cleo);
    const read = ({ conversation, _id: message }: Message) => emits('message:read', { conversation, message });
    expect(await read(shown)).toMatchObject({ ok: true, data: { seq: 2 } });
    const response = await call('member', 'POST', `/chat/messages/${shown._id}/read`, {});
    expect([response.status, response.body]).toEqual([200, { updatedCount: 1, seq: 2 }]);
    const hidden = await reply('ben', root, 'Only here');
    expect(await read(hidden)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect((await call('cleo', 'POST', `/chat/messages/${hidden._id}/read`, {})).status).toBe(404);
  });

  it('names those who have read the thread', async () => {
    const root = await startThread();
    const sent = await reply('ben', root, 'one');
    await call('member', 'POST', `/chat/messages/${root._id}/thread/read`, {});
    const edited = await request<Message>(service, people.ben, [
      'PATCH',
      `/chat/messages/${sent._id}`,
      { content: 'x' },
    ]);
    expect(edited.readBy).toMatchObject({ count: 1, users: [{ _id: people.member._id }] });
  });

  it('is returned to a retry although another one could not be sent anymore', async () => {
    const root = await startThread();
    const extra = { clientMessageId: randomUUID() };
    const sent = await reply('member', root, '<@everyone> lunch', extra);
    await call('member', 'POST', `/chat/conversations/${root.conversation}/archive`);
    expect((await reply('member', root, '<@everyone> lunch', extra))._id).toBe(sent._id);
    expect((await call('member', 'POST', '/chat/messages', bodyOf(root, 'another'))).status).toBe(409);
    expect((await call('stranger', 'POST', '/chat/messages', bodyOf(root, 'x', extra))).status).toBe(404);
  });
});

it('a message and a poll that mention everyone are returned to retries although only managers can send them now', async () => {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
  const message = { conversation, content: '<@everyone> lunch', clientMessageId: randomUUID() };
  const poll = { conversation, question: '<@everyone> lunch?', options: ['Yes', 'No'], clientMessageId: randomUUID() };
  for (const [path, body] of [
    ['/chat/messages', message],
    ['/chat/polls', poll],
  ] as const) {
    await request(service, people.member, [
      'PATCH',
      `/chat/conversations/${conversation}`,
      { mentionEveryone: 'everyone' },
    ]);
    const sent = await request<Message>(service, people.ben, ['POST', path, body]);
    await request(service, people.member, [
      'PATCH',
      `/chat/conversations/${conversation}`,
      { mentionEveryone: 'managers' },
    ]);
    expect((await request<Message>(service, people.ben, ['POST', path, body]))._id).toBe(sent._id);
    expect((await call('ben', 'POST', path, { ...body, clientMessageId: randomUUID() })).status).toBe(403);
  }
});
