import { type Draft, MAX_DRAFTS, TOO_MANY_DRAFTS } from '@atrium/proto-events/http/chat/drafts';
import { NOT_A_ROOT } from '@atrium/proto-events/http/chat/message-text';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { sendFiles } from './files.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
type Body = { conversation: string; content: string; thread?: string; version?: number };

const put = (as: As, body: Body) => service.call('PUT', '/chat/drafts', { as: people[as], body });
const save = (as: As, body: Body) => request<Draft>(service, people[as], ['PUT', '/chat/drafts', body]);
const list = (as: As, query = 'limit=100') =>
  request<{ data: Draft[]; total: number; totalPages: number }>(service, people[as], ['GET', `/chat/drafts?${query}`]);
const findDraft = async (as: As, id: string) => (await list(as)).data.find(({ _id }) => _id === id);

async function startConversation() {
  const { _id } = await createGroup(service, [people.member, people.ben]);
  return _id;
}

describe('a draft', () => {
  it('is stored for its author only, last changed first, and removed by empty content', async () => {
    const [first, second] = [await startConversation(), await startConversation()];
    const before = (await list('member')).total;
    const written = await save('member', { conversation: first, content: '  Hello  ' });
    expect(written).toMatchObject({ _id: first, conversation: first, content: 'Hello' });
    expect(written.thread).toBeUndefined();
    await save('member', { conversation: second, content: 'Later' });
    const changed = await save('member', { conversation: first, content: 'Hello again' });
    expect(changed.version).toBeGreaterThan(written.version);
    const { data, total } = await list('member');
    expect(total).toBe(before + 2);
    expect(data.slice(0, 2).map(({ content }) => content)).toEqual(['Hello again', 'Later']);
    expect(await findDraft('ben', first)).toBeUndefined();
    expect(await list('member', 'limit=1&page=2')).toMatchObject({ data: [{ content: 'Later' }], total: before + 2 });
    const removed = await save('member', { conversation: first, content: ' \u200b ' });
    expect(removed.content).toBe('');
    expect(removed.version).toBeGreaterThan(changed.version);
    expect(await findDraft('member', first)).toBeUndefined();
  });

  it('of a thread is separate from that of its conversation, and names the users that it mentions', async () => {
    const conversation = await startConversation();
    const root = await send(service, people.ben, conversation);
    await save('member', { conversation, content: 'A message' });
    const reply = await save('member', { conversation, thread: root._id, content: `A reply to <@${people.ben._id}>` });
    expect(reply).toMatchObject({ _id: root._id, thread: root._id, mentions: { users: [{ _id: people.ben._id }] } });
    expect((await findDraft('member', conversation))?.content).toBe('A message');
    expect((await findDraft('member', root._id))?.content).toBe(reply.content);
  });

  it("is sent to the author's own devices, also when it is removed, and not when nothing changes", async () => {
    const conversation = await startConversation();
    const [own, other] = await Promise.all([connectChat(service, people.member), connectChat(service, people.ben)]);
    const written = await save('member', { conversation, content: 'Hello' });
    expect(await own.receives('draft:changed')).toEqual(written);
    await save('member', { conversation, content: 'Hello' });
    const removed = await save('member', { conversation, content: '' });
    await save('member', { conversation, content: '' });
    expect(await own.receives('draft:changed', ({ content }) => content === '')).toEqual(removed);
    await send(service, people.member, conversation, 'after');
    await other.receives('message:new', ({ message }) => message.content === 'after');
    expect(own.all('draft:changed')).toHaveLength(2);
    expect(other.all('draft:changed')).toEqual([]);
  });

  it('is rejected if it replaces a version of another device, and shows that one', async () => {
    const conversation = await startConversation();
    const first = await save('member', { conversation, content: 'One', version: 0 });
    const stale = await put('member', { conversation, content: 'Two', version: 0 });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({ code: 'stale_version', current: { content: 'One', version: first.version } });
    const second = await save('member', { conversation, content: 'Two', version: first.version });
    // A repeated request changes nothing.
    expect(await save('member', { conversation, content: 'Two', version: first.version })).toEqual(second);
    expect((await put('member', { conversation, content: '', version: first.version })).status).toBe(409);
    await save('member', { conversation, content: '', version: second.version });
    const absent = await put('member', { conversation, content: 'Three', version: second.version });
    expect(absent.body).toMatchObject({ code: 'stale_version', current: { content: '', version: 0 } });
  });

  it('of two devices that both write the first one is saved for one of them, and the other one keeps its text', async () => {
    for (const conversation of await Promise.all(Array.from({ length: 10 }, startConversation))) {
      const contents = ['One', 'Two', 'Three'];
      const responses = await Promise.all(
        contents.map((content) => put('member', { conversation, content, version: 0 })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const saved = contents[responses.findIndex(({ status }) => status === 200)];
      expect((await findDraft('member', conversation))?.content).toBe(saved);
    }
  });

  it('is hidden after its author has left, and is back when they return', async () => {
    const conversation = await startConversation();
    await save('ben', { conversation, content: 'Unsent' });
    await request(service, people.ben, ['POST', `/chat/conversations/${conversation}/leave`]);
    expect(await findDraft('ben', conversation)).toBeUndefined();
    expect((await put('ben', { conversation, content: 'More' })).status).toBe(404);
    await request(service, people.member, [
      'POST',
      `/chat/conversations/${conversation}/participants`,
      { userId: people.ben._id },
    ]);
    expect((await findDraft('ben', conversation))?.content).toBe('Unsent');
  });

  it('ends with its conversation', async () => {
    const conversation = await startConversation();
    await save('member', { conversation, content: 'Unsent' });
    await request(service, people.admin, ['DELETE', `/chat/conversations/${conversation}`]);
    expect(await findDraft('member', conversation)).toBeUndefined();
    expect(await service.query('select from drafts where conversation_id = $1', [conversation])).toEqual([]);
  });

  it('is rejected without access, for a reply to a reply, and for more than a user can have', async () => {
    const conversation = await startConversation();
    const root = await send(service, people.member, conversation);
    const reply = await request<Message>(service, people.member, [
      'POST',
      '/chat/messages',
      { conversation, thread: root._id, content: 'A reply' },
    ]);
    expect((await put('stranger', { conversation, content: 'x' })).status).toBe(404);
    expect((await put('stranger', { conversation, thread: root._id, content: 'x' })).status).toBe(404);
    expect((await put('member', { conversation: newId(), content: 'x' })).status).toBe(404);
    expect((await put('member', { conversation, thread: newId(), content: 'x' })).status).toBe(404);
    const nested = await put('member', { conversation, thread: reply._id, content: 'x' });
    expect(nested).toMatchObject({ status: 400, body: { message: [NOT_A_ROOT] } });
    expect((await put('member', { conversation, content: 'x'.repeat(10_001) })).status).toBe(400);
    const others = Array.from({ length: MAX_DRAFTS }, () => newId());
    await service.query(
      `insert into drafts (user_id, log_id, conversation_id, content, version)
       select $1, unnest($2::text[]), $3, 'x', 1`,
      [people.ben._id, others, conversation],
    );
    const excess = await put('ben', { conversation, content: 'x' });
    expect(excess).toMatchObject({ status: 400, body: { message: [TOO_MANY_DRAFTS] } });
    expect(await findDraft('ben', conversation)).toBeUndefined();
    await request(service, people.ben, ['POST', `/chat/conversations/${conversation}/leave`]);
    expect((await put('ben', { conversation: await startConversation(), content: 'x' })).status).toBe(200);
    await service.query("delete from drafts where user_id = $1 and content = 'x'", [people.ben._id]);
  });
});

describe('sending a message', () => {
  it('removes the draft of its text in the same conversation or thread, and notifies other devices', async () => {
    const conversation = await startConversation();
    const root = await send(service, people.ben, conversation);
    const socket = await connectChat(service, people.member);
    const written = await save('member', { conversation, content: 'Hel' });
    await save('member', { conversation, thread: root._id, content: 'A reply' });
    await send(service, people.member, conversation, 'Hello');
    const removed = await socket.receives('draft:changed', ({ content }) => content === '');
    expect(removed).toMatchObject({ _id: conversation, conversation });
    expect(removed.version).toBeGreaterThan(written.version);
    expect(await findDraft('member', conversation)).toBeUndefined();
    expect((await findDraft('member', root._id))?.content).toBe('A reply');
    const body = { conversation, thread: root._id, content: 'A reply', alsoInConversation: true };
    await request(service, people.member, ['POST', '/chat/messages', body]);
    await socket.receives('draft:changed', ({ _id, content }) => _id === root._id && content === '');
    expect(await findDraft('member', root._id)).toBeUndefined();
  });

  it('keeps a text that was written meanwhile, those of others, and that of a rejected message', async () => {
    const conversation = await startConversation();
    await save('member', { conversation, content: 'Something else' });
    await save('ben', { conversation, content: 'Hello' });
    await send(service, people.member, conversation, 'Hello');
    expect((await findDraft('member', conversation))?.content).toBe('Something else');
    expect((await findDraft('ben', conversation))?.content).toBe('Hello');
    await request(service, people.member, ['POST', `/chat/conversations/${conversation}/archive`]);
    const body = { conversation, content: 'Something else' };
    expect((await service.call('POST', '/chat/messages', { as: people.member, body })).status).toBe(409);
    expect((await findDraft('member', conversation))?.content).toBe('Something else');
  });

  it('with files removes the draft of their text', async () => {
    const conversation = await startConversation();
    await save('member', { conversation, content: 'See attached' });
    const fields = { conversation, content: 'See attached' };
    await sendFiles(service, { as: people.member, fields, files: [['notes.txt', 'text']] });
    expect(await findDraft('member', conversation)).toBeUndefined();
  });
});
