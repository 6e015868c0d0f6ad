import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Draft } from '@atrium/proto-events/http/chat-drafts';
import { NOT_A_ROOT } from '@atrium/proto-events/http/chat-message-text';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import {
  INVALID_DUE_TIME,
  MAX_SCHEDULED,
  type ScheduledMessage,
  TOO_MANY_SCHEDULED,
} from '@atrium/proto-events/http/chat-scheduled';
import { SCHEDULED_FILES } from '@atrium/proto-events/http/chat-sending';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { postFiles } from './files.ts';
import { startPodProcess, startSecondPod } from './pods.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
type Extra = { thread?: string; alsoInConversation?: boolean; clientMessageId?: string; content?: string };

const MINUTE_MS = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();

const bodyOf = (conversation: string, extra: Extra = {}) => ({
  conversation,
  content: 'Good morning',
  sendAt: inMinutes(60),
  ...extra,
});
const schedule = (as: As, conversation: string, extra?: Extra) =>
  request<ScheduledMessage>(service, people[as], ['POST', '/chat/messages', bodyOf(conversation, extra)]);
const call = (as: As, method: string, path: string, body?: unknown) =>
  service.call(method, path, { as: people[as], ...(body !== undefined && { body }) });
const list = async (as: As) =>
  (await request<{ data: ScheduledMessage[] }>(service, people[as], ['GET', '/chat/scheduled?limit=100'])).data;
const find = async (as: As, { _id }: ScheduledMessage) => (await list(as)).find((other) => other._id === _id);
const messagesIn = async (conversation: string, as: As = 'member') =>
  (
    await request<{ data: Message[] }>(service, people[as], [
      'GET',
      `/chat/messages?conversation=${conversation}&limit=100`,
    ])
  ).data;

/** Moves the due time of a scheduled message to the past, as if the time had come. */
const makeDue = ({ _id }: ScheduledMessage, age = '1 second') =>
  service.query('update scheduled_messages set send_at = clock_timestamp() - $2::interval where scheduled_id = $1', [
    _id,
    age,
  ]);
const untilFailed = (as: As, scheduled: ScheduledMessage) =>
  waitFor(async () => (await find(as, scheduled))?.failure ?? undefined, { description: 'the failure to be recorded' });

async function startConversation() {
  const { _id } = await createGroup(service, [people.member, people.ben]);
  return _id;
}

describe('a scheduled message', () => {
  it('is listed for its author only, soonest first, and told to their devices', async () => {
    const conversation = await startConversation();
    const [own, other] = await Promise.all([connectChat(service, people.member), connectChat(service, people.ben)]);
    const later = await schedule('member', conversation, { content: `Later, <@${people.ben._id}>` });
    const sooner = await request<ScheduledMessage>(service, people.member, [
      'POST',
      '/chat/messages',
      { ...bodyOf(conversation), sendAt: inMinutes(5) },
    ]);
    expect(later).toMatchObject({
      conversation,
      thread: null,
      failure: null,
      mentions: { users: [{ _id: people.ben._id }] },
    });
    await own.receives('scheduled:changed', ({ scheduled }) => scheduled === sooner._id);
    const ids = (await list('member')).map(({ _id }) => _id);
    expect(ids.indexOf(sooner._id)).toBeLessThan(ids.indexOf(later._id));
    expect(await find('ben', later)).toBeUndefined();
    expect(await messagesIn(conversation)).toEqual([]);
    expect(other.all('scheduled:changed')).toEqual([]);
  });

  it('removes the draft of its text, and is created once by a repeated request', async () => {
    const conversation = await startConversation();
    await request<Draft>(service, people.member, ['PUT', '/chat/drafts', { conversation, content: 'Good' }]);
    const socket = await connectChat(service, people.member);
    const clientMessageId = randomUUID();
    const first = await schedule('member', conversation, { clientMessageId });
    expect(await socket.receives('draft:changed')).toMatchObject({ _id: conversation, content: '' });
    expect((await schedule('member', conversation, { clientMessageId }))._id).toBe(first._id);
    const elsewhere = await startConversation();
    const reused = await call('member', 'POST', '/chat/messages', bodyOf(elsewhere, { clientMessageId }));
    expect(reused.status).toBe(409);
    const sent = await request<Message>(service, people.member, [
      'POST',
      '/chat/messages',
      { conversation, content: 'Now', clientMessageId: randomUUID() },
    ]);
    const body = bodyOf(conversation, { clientMessageId: sent.clientMessageId ?? '' });
    expect((await call('member', 'POST', '/chat/messages', body)).status).toBe(409);
  });

  it('can be changed, postponed, and deleted', async () => {
    const conversation = await startConversation();
    const scheduled = await schedule('member', conversation);
    const path = `/chat/scheduled/${scheduled._id}`;
    const sendAt = inMinutes(120);
    const changed = await request<ScheduledMessage>(service, people.member, ['PATCH', path, { content: 'Edited' }]);
    expect(changed).toMatchObject({ content: 'Edited', sendAt: scheduled.sendAt });
    expect(await request(service, people.member, ['PATCH', path, { sendAt }])).toMatchObject({
      content: 'Edited',
      sendAt,
    });
    expect((await call('member', 'DELETE', path)).status).toBe(204);
    expect(await find('member', scheduled)).toBeUndefined();
    for (const [method, at, body] of [
      ['PATCH', path, { content: 'x' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/send`, undefined],
    ] as const)
      expect((await call('member', method, at, body)).status).toBe(404);
  });

  it('is accepted without being sent, and cannot have files', async () => {
    const conversation = await startConversation();
    expect((await call('member', 'POST', '/chat/messages', bodyOf(conversation))).status).toBe(202);
    const fields = { conversation, content: 'Later', sendAt: inMinutes(60) };
    const rejected = await postFiles(service, { as: people.member, fields });
    expect(rejected).toMatchObject({ status: 400, body: { message: [SCHEDULED_FILES] } });
    expect(await messagesIn(conversation)).toEqual([]);
  });

  it('of others is not found', async () => {
    const scheduled = await schedule('member', await startConversation());
    const path = `/chat/scheduled/${scheduled._id}`;
    for (const as of ['ben', 'admin'] as const) {
      expect((await call(as, 'PATCH', path, { content: 'x' })).status).toBe(404);
      expect((await call(as, 'DELETE', path)).status).toBe(404);
      expect((await call(as, 'POST', `${path}/send`)).status).toBe(404);
    }
  });

  it('is rejected where its author cannot write, and at times that are too soon or too far away', async () => {
    const conversation = await startConversation();
    const root = await send(service, people.member, conversation);
    const reply = await request<Message>(service, people.member, [
      'POST',
      '/chat/messages',
      { conversation, thread: root._id, content: 'A reply' },
    ]);
    const post = (as: As, body: object) => call(as, 'POST', '/chat/messages', { ...bodyOf(conversation), ...body });
    expect((await post('stranger', {})).status).toBe(404);
    expect((await post('admin', {})).status).toBe(404);
    expect((await post('member', { thread: newId() })).status).toBe(404);
    expect(await post('member', { thread: reply._id })).toMatchObject({
      status: 400,
      body: { message: [NOT_A_ROOT] },
    });
    expect((await post('member', { content: ' ' })).status).toBe(400);
    for (const sendAt of [inMinutes(0.5), inMinutes(-60), inMinutes(367 * 24 * 60)])
      expect(await post('member', { sendAt })).toMatchObject({ status: 400, body: { message: [INVALID_DUE_TIME] } });
    expect((await post('member', { sendAt: 'tomorrow' })).status).toBe(400);
    const scheduled = await schedule('ben', conversation);
    await request(service, people.member, ['PATCH', `/chat/conversations/${conversation}`, { posting: 'managers' }]);
    expect((await post('ben', {})).status).toBe(403);
    expect((await post('ben', { thread: root._id, alsoInConversation: true })).status).toBe(403);
    expect((await post('ben', { thread: root._id })).status).toBe(202);
    const path = `/chat/scheduled/${scheduled._id}`;
    expect((await call('ben', 'PATCH', path, { sendAt: inMinutes(90) })).status).toBe(403);
    expect((await call('ben', 'PATCH', path, { sendAt: inMinutes(0.5) })).status).toBe(403);
    expect((await call('ben', 'POST', `${path}/send`)).status).toBe(403);
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/archive`]);
    expect((await post('member', {})).status).toBe(409);
    expect((await call('ben', 'PATCH', path, { sendAt: inMinutes(90) })).status).toBe(409);
    expect((await call('ben', 'POST', `${path}/send`)).status).toBe(409);
    expect((await find('ben', scheduled))?.content).toBe(scheduled.content);
  });

  it('is rejected if its author has too many', async () => {
    const conversation = await startConversation();
    await service.query(
      `insert into scheduled_messages (scheduled_id, user_id, conversation_id, content, client_message_id, send_at)
       select md5(n::text), $1, $2, 'x', n::text, now() + interval '1 day' from generate_series(1, $3::int) n`,
      [people.ben._id, conversation, MAX_SCHEDULED],
    );
    const excess = await call('ben', 'POST', '/chat/messages', bodyOf(conversation));
    expect(excess).toMatchObject({ status: 400, body: { message: [TOO_MANY_SCHEDULED] } });
    await service.query('delete from scheduled_messages where user_id = $1', [people.ben._id]);
  });
});

describe('a message that is due', () => {
  it('is sent to everyone within seconds, also long after an outage, and only when its time has come', async () => {
    const conversation = await startConversation();
    const [own, other] = await Promise.all([connectChat(service, people.member), connectChat(service, people.ben)]);
    const [due, overdue, later] = [
      await schedule('member', conversation, { content: 'Due' }),
      await schedule('member', conversation, { content: 'Overdue' }),
      await schedule('member', conversation, { content: 'Later' }),
    ];
    await makeDue(overdue, '3 days');
    await other.receives('message:new', ({ message }) => message.content === 'Overdue');
    await makeDue(due);
    for (const { receives } of [own, other])
      await receives(
        'message:new',
        ({ message }) => message.content === 'Due' && message.sender._id === people.member._id,
      );
    await own.receives('scheduled:changed', ({ scheduled }) => scheduled === due._id);
    expect((await messagesIn(conversation)).map(({ content }) => content)).toEqual(['Overdue', 'Due']);
    expect(await find('member', due)).toBeUndefined();
    expect(await find('member', later)).toMatchObject({ failure: null });
  });

  it('keeps what its author is writing, and counts as read by them', async () => {
    const conversation = await startConversation();
    const scheduled = await schedule('member', conversation, { content: 'Good morning' });
    await request(service, people.member, ['PUT', '/chat/drafts', { conversation, content: 'Good' }]);
    await makeDue(scheduled);
    await waitFor(async () => (await messagesIn(conversation)).length === 1, { description: 'the message to be sent' });
    const drafts = await request<{ data: Draft[] }>(service, people.member, ['GET', '/chat/drafts?limit=100']);
    expect(drafts.data.find(({ _id }) => _id === conversation)?.content).toBe('Good');
    const unread = await call('member', 'GET', `/chat/conversations/${conversation}/unread-count`);
    expect(unread.body).toMatchObject({ unreadCount: 0 });
  });

  it('is sent as a reply, also in the conversation', async () => {
    const conversation = await startConversation();
    const root = await send(service, people.ben, conversation);
    const scheduled = await schedule('member', conversation, { thread: root._id, alsoInConversation: true });
    await makeDue(scheduled);
    await waitFor(async () => (await messagesIn(conversation)).length === 2, { description: 'the copy to be sent' });
    const { data } = await request<{ data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages/${root._id}/thread`,
    ]);
    expect(data).toMatchObject([{ content: 'Good morning', thread: { root: root._id } }]);
  });

  it('is sent once if it was sent with the same clientMessageId, and not lost if that was another text', async () => {
    const conversation = await startConversation();
    const [same, different] = [randomUUID(), randomUUID()];
    const scheduled = await schedule('member', conversation, { clientMessageId: same });
    const kept = await schedule('member', conversation, { clientMessageId: different });
    const post = (clientMessageId: string, content: string) =>
      request(service, people.member, ['POST', '/chat/messages', { conversation, content, clientMessageId }]);
    await post(same, 'Good morning');
    await post(different, 'Something else');
    await makeDue(scheduled);
    await makeDue(kept);
    expect(await untilFailed('member', kept)).toContain('another message');
    expect(await find('member', scheduled)).toBeUndefined();
    expect(await messagesIn(conversation)).toHaveLength(2);
  });

  it('stays with the reason if its author can no longer write there, and can be sent once they can', async () => {
    const conversation = await startConversation();
    const socket = await connectChat(service, people.ben);
    const scheduled = await schedule('ben', conversation);
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/archive`]);
    await makeDue(scheduled);
    expect(await untilFailed('ben', scheduled)).toBe('This channel is archived');
    await socket.receives('scheduled:changed', (change) => change.scheduled === scheduled._id);
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/restore`]);
    const path = `/chat/scheduled/${scheduled._id}`;
    expect(await request(service, people.ben, ['PATCH', path, { content: 'Edited' }])).toMatchObject({
      failure: 'This channel is archived',
    });
    expect(await request(service, people.ben, ['PATCH', path, { sendAt: inMinutes(60) }])).toMatchObject({
      failure: null,
    });
    await makeDue(scheduled);
    await waitFor(async () => (await messagesIn(conversation)).length === 1, { description: 'the message to be sent' });
  });

  it('stays with the same reason after its author has left and after the conversation was deleted', async () => {
    const [left, deleted] = [await startConversation(), await startConversation()];
    const inLeft = await schedule('ben', left);
    const inDeleted = await schedule('ben', deleted);
    await request(service, people.ben, ['POST', `/chat/conversations/${left}/leave`]);
    await request(service, people.admin, ['DELETE', `/chat/conversations/${deleted}`]);
    await makeDue(inLeft);
    await makeDue(inDeleted);
    const reason = await untilFailed('ben', inLeft);
    expect(reason).toBe('The conversation was deleted, or you are no longer in it');
    expect(await untilFailed('ben', inDeleted)).toBe(reason);
    expect((await find('ben', inLeft))?.content).toBe('Good morning');
    expect((await call('ben', 'POST', `/chat/scheduled/${inLeft._id}/send`)).status).toBe(404);
    expect((await call('ben', 'PATCH', `/chat/scheduled/${inLeft._id}`, { sendAt: inMinutes(60) })).status).toBe(404);
    expect(await messagesIn(left)).toEqual([]);
  });

  it('stays while its author is deactivated', async () => {
    const user = buildUser({ firstName: 'Dee' });
    service.addToDirectory(user);
    const { _id: conversation } = await createGroup(service, [people.member, user]);
    const scheduled = await request<ScheduledMessage>(service, user, ['POST', '/chat/messages', bodyOf(conversation)]);
    service.addToDirectory({ ...user, status: 'inactive', version: user.version + 1 });
    await makeDue(scheduled);
    const failures = () =>
      service.query('select failure from scheduled_messages where scheduled_id = $1', [scheduled._id]);
    await waitFor(async () => (await failures())[0]?.failure !== null, { description: 'the failure to be recorded' });
    expect(await failures()).toEqual([{ failure: 'Your account was deactivated' }]);
    expect(await messagesIn(conversation)).toEqual([]);
  });
});

describe('"send now"', () => {
  it('sends the message once', async () => {
    const conversation = await startConversation();
    const scheduled = await schedule('member', conversation);
    const path = `/chat/scheduled/${scheduled._id}/send`;
    const responses = await Promise.all([call('member', 'POST', path), call('member', 'POST', path)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(responses.find(({ status }) => status === 200)?.body).toMatchObject({
      conversation,
      content: 'Good morning',
    });
    expect(await messagesIn(conversation)).toHaveLength(1);
  });

  it('sends it once if the pod crashes before it announces it', async () => {
    const conversation = await startConversation();
    const crashPoints = await mkdtemp(join(tmpdir(), 'scheduled-'));
    const pod = await startPodProcess(service, people, { CRASH_POINTS_DIR: crashPoints });
    const scheduled = await schedule('member', conversation);
    await writeFile(join(crashPoints, 'after-message-before-announcement'), '');
    const token = await pod.tokens.sign(people.member);
    const url = `${pod.url}/api/chat/scheduled/${scheduled._id}/send`;
    const lost = fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    await expect(lost).rejects.toThrow();
    expect(await readdir(crashPoints)).toEqual([]);
    await pod.end('SIGKILL');
    expect((await call('member', 'POST', `/chat/scheduled/${scheduled._id}/send`)).status).toBe(404);
    expect(await messagesIn(conversation, 'ben')).toHaveLength(1);
  });
});

describe('several pods', () => {
  it('send each message once, while one of them is killed', async () => {
    const conversation = await startConversation();
    const [second, killed] = await Promise.all([startSecondPod(service, people), startPodProcess(service, people)]);
    const contents = Array.from({ length: 200 }, (_, index) => `Message ${index}`);
    const other = await connectChat(second, people.ben);
    await service.query(
      `insert into scheduled_messages (scheduled_id, user_id, conversation_id, content, client_message_id, send_at)
       select substr(md5($2 || c), 1, 24), $1, $2, c, md5($2 || c), clock_timestamp() - interval '1 second'
       from unnest($3::text[]) c`,
      [people.member._id, conversation, contents],
    );
    await other.receives('message:new');
    await killed.end('SIGKILL');
    const remaining = () => service.query('select from scheduled_messages where conversation_id = $1', [conversation]);
    await waitFor(async () => (await remaining()).length === 0, { description: 'all messages to be sent' });
    const rows = await service.query('select content from messages where conversation_id = $1', [conversation]);
    expect(rows.map(({ content }) => content).sort()).toEqual(contents.sort());
    await second.close();
  });
});
