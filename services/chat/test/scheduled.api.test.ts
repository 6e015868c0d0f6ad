import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Draft } from '@atrium/proto-events/http/chat/drafts';
import { NOT_A_ROOT } from '@atrium/proto-events/http/chat/message-text';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import {
  INVALID_DUE_TIME,
  MAX_SCHEDULED,
  type ScheduledMessage,
  TOO_MANY_SCHEDULED,
} from '@atrium/proto-events/http/chat/scheduled';
import { SCHEDULED_FILES } from '@atrium/proto-events/http/chat/sending';
import { MENTION_EVERYONE } from '@atrium/proto-events/text/mentions';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { request, send } from './factories.ts';
import { postFiles } from './files.ts';
import { startPodProcess } from './pods.ts';
import { call, people, service } from './running-chat.ts';
import { type As, bodyOf, find, inMinutes, list, messagesIn, schedule, startConversation } from './scheduled.ts';
import { connectChat } from './sockets.ts';

describe('a scheduled message', () => {
  it('is listed for its author only, soonest first, and sent to their devices', async () => {
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
    const both = bodyOf(conversation, { clientMessageId: randomUUID() });
    const repeated = await Promise.all(
      [both, both, both].map((body) => call('member', 'POST', '/chat/messages', body)),
    );
    expect(repeated.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(repeated.map(({ body }) => (body as ScheduledMessage)._id)).size).toBe(1);
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

  it('that was sent is returned as a message by a repeated request, also after changes, and to its author only', async () => {
    const conversation = await startConversation();
    const repeat = (as: As, body: object) => call(as, 'POST', '/chat/messages', body);
    const body = bodyOf(conversation, { clientMessageId: randomUUID() });
    const scheduled = await request<ScheduledMessage>(service, people.ben, ['POST', '/chat/messages', body]);
    await request(service, people.ben, ['POST', `/chat/scheduled/${scheduled._id}/send`]);
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/archive`]);
    expect(await repeat('ben', body)).toMatchObject({
      status: 201,
      body: { _id: scheduled._id, content: 'Good morning' },
    });
    expect((await repeat('ben', { ...body, content: 'Another text' })).status).toBe(409);
    expect((await repeat('member', body)).status).toBe(409);
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/restore`]);
    await request(service, people.ben, ['PATCH', `/chat/messages/${scheduled._id}`, { content: 'Edited' }]);
    expect(await repeat('ben', body)).toMatchObject({ status: 201, body: { content: 'Edited' } });
    await request(service, people.ben, ['DELETE', `/chat/messages/${scheduled._id}`]);
    expect(await repeat('ben', body)).toMatchObject({ status: 201, body: { deleted: true } });
    expect(await messagesIn(conversation)).toHaveLength(1);
    expect(await list('ben')).toEqual([]);
    await request(service, people.ben, ['POST', `/chat/conversations/${conversation}/leave`]);
    expect((await repeat('ben', body)).status).toBe(404);
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

  it('is rejected if it mentions everyone where its author cannot, also after a change', async () => {
    const conversation = await startConversation();
    const scheduled = await schedule('ben', conversation);
    const settings = { mentionEveryone: 'managers' };
    await request(service, people.member, ['PATCH', `/chat/conversations/${conversation}`, settings]);
    const body = bodyOf(conversation, { content: MENTION_EVERYONE });
    expect((await call('ben', 'POST', '/chat/messages', body)).status).toBe(403);
    expect((await call('member', 'POST', '/chat/messages', body)).status).toBe(202);
    const path = `/chat/scheduled/${scheduled._id}`;
    expect((await call('ben', 'PATCH', path, { content: MENTION_EVERYONE })).status).toBe(403);
    expect((await find('ben', scheduled))?.content).toBe('Good morning');
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

describe('"send now"', () => {
  it('sends the message once', async () => {
    const conversation = await startConversation();
    const scheduled = await schedule('member', conversation);
    const path = `/chat/scheduled/${scheduled._id}/send`;
    const responses = await Promise.all([call('member', 'POST', path), call('member', 'POST', path)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const [message] = await messagesIn(conversation);
    for (const { body } of responses)
      expect(body).toMatchObject({ _id: message?._id, conversation, content: 'Good morning' });
    expect(await messagesIn(conversation)).toHaveLength(1);
  });

  it('is repeated by the author only, while they are in the conversation', async () => {
    const conversation = await startConversation();
    const { _id } = await schedule('ben', conversation);
    const path = `/chat/scheduled/${_id}/send`;
    await request(service, people.ben, ['POST', path]);
    expect((await call('member', 'POST', path)).status).toBe(404);
    await request(service, people.ben, ['POST', `/chat/conversations/${conversation}/leave`]);
    expect((await call('ben', 'POST', path)).status).toBe(404);
  });

  it('returns a reply that was sent, and not its copy in the conversation', async () => {
    const conversation = await startConversation();
    const root = await send(service, people.ben, conversation);
    const { _id } = await schedule('member', conversation, { thread: root._id, alsoInConversation: true });
    const path = `/chat/scheduled/${_id}/send`;
    const sent = await request<Message>(service, people.member, ['POST', path]);
    expect(sent.thread?.root).toBe(root._id);
    expect(await request<Message>(service, people.member, ['POST', path])).toMatchObject({ _id, thread: sent.thread });
    expect(await messagesIn(conversation)).toHaveLength(2);
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
    const retry = await call('member', 'POST', `/chat/scheduled/${scheduled._id}/send`);
    const [sent, ...others] = await messagesIn(conversation, 'ben');
    expect(others).toEqual([]);
    expect(retry).toMatchObject({ status: 200, body: { _id: sent?._id } });
  });
});
