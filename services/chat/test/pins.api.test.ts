import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MAX_SAVED, type SavedMessage, TOO_MANY_SAVED } from '@atrium/proto-events/http/chat/pins';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { createDb } from '@atrium/service-kit/postgres/postgres';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { holdLock, waitForLock } from './locks.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
const pin = (as: As, { _id }: Message) => request<Message>(service, people[as], ['PUT', `/chat/messages/${_id}/pin`]);
const listPins = async (as: As, conversation: string) =>
  (await request<{ data: Message[] }>(service, people[as], ['GET', `/chat/conversations/${conversation}/pins`])).data;
const save = (as: As, { _id }: Message) =>
  request<Message>(service, people[as], ['PUT', `/chat/messages/${_id}/saved`]);
const listSaved = (as: As) =>
  request<{ data: SavedMessage[]; total: number }>(service, people[as], ['GET', '/chat/saved']);
const idsOf = (messages: readonly Message[]) => messages.map(({ _id }) => _id);

async function startConversation() {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
  const messages = [await send(service, people.member, conversation), await send(service, people.ben, conversation)];
  return { conversation, messages: messages as [Message, Message] };
}

describe('pins', () => {
  it('are shown to everyone in the conversation, last pinned first, as a revision of it', async () => {
    const { conversation, messages } = await startConversation();
    const [first, second] = messages;
    const socket = await connectChat(service, people.ben);
    const pinned = await pin('member', first);
    expect(pinned.pinned).toEqual({ by: expect.objectContaining({ _id: people.member._id }), at: expect.any(String) });
    expect(await socket.receives('message:updated')).toMatchObject({
      revision: 1,
      message: { _id: first._id, pinned: { by: { _id: people.member._id } } },
    });
    await pin('ben', second);
    await pin('member', second);
    expect(idsOf(await listPins('ben', conversation))).toEqual([second._id, first._id]);
    expect((await listPins('ben', conversation))[0]?.pinned?.by._id).toBe(people.ben._id);
    expect((await call('ben', 'DELETE', `/chat/messages/${first._id}/pin`)).body).toMatchObject({ pinned: null });
    expect(idsOf(await listPins('member', conversation))).toEqual([second._id]);
  });

  it('include replies, once, and end with their messages', async () => {
    const { conversation, messages } = await startConversation();
    const body = { conversation, thread: messages[0]._id, content: 'reply', alsoInConversation: true };
    const reply = await request<Message>(service, people.ben, ['POST', '/chat/messages', body]);
    await pin('member', reply);
    await pin('member', messages[1]);
    expect(idsOf(await listPins('member', conversation))).toEqual([messages[1]._id, reply._id]);
    await call('ben', 'DELETE', `/chat/messages/${reply._id}`);
    expect(idsOf(await listPins('member', conversation))).toEqual([messages[1]._id]);
    expect((await call('member', 'PUT', `/chat/messages/${reply._id}/pin`)).status).toBe(409);
  });

  it('are at most a hundred', async () => {
    const { conversation, messages } = await startConversation();
    await service.query(
      `insert into messages (conversation_id, seq, message_id, sender_id, content, type, pinned_at, pinned_by)
       select $1, n, lpad(n::text, 24, '0'), $2, 'x', 'text', now(), $2 from generate_series(1001, 1100) n`,
      [conversation, people.ben._id],
    );
    const response = await call('member', 'PUT', `/chat/messages/${messages[0]._id}/pin`);
    expect(response).toMatchObject({
      status: 400,
      body: { message: ['A conversation can have at most 100 pinned messages'] },
    });
    expect(await listPins('member', conversation)).toHaveLength(100);
  });

  it('are not possible for others', async () => {
    const { conversation, messages } = await startConversation();
    for (const as of ['stranger', 'admin'] as const) {
      expect((await call(as, 'GET', `/chat/conversations/${conversation}/pins`)).status).toBe(404);
      for (const method of ['PUT', 'DELETE'])
        for (const path of ['pin', 'saved'])
          expect((await call(as, method, `/chat/messages/${messages[0]._id}/${path}`)).status).toBe(404);
    }
  });
});

describe('saved messages', () => {
  it('are those of one user, last saved first, while the user is in the conversation', async () => {
    const { conversation, messages } = await startConversation();
    const { total } = await listSaved('ben');
    expect((await save('ben', messages[0])).saved).toBe(true);
    await save('ben', messages[1]);
    await save('ben', messages[0]);
    const page = await listSaved('ben');
    expect(page.total).toBe(total + 2);
    expect(page.data.slice(0, 2).map(({ message }) => message._id)).toEqual([messages[1]._id, messages[0]._id]);
    expect(page.data[0]).toMatchObject({ savedAt: expect.any(String), message: { conversation, saved: true } });
    const listed = await request<{ data: Message[] }>(service, people.member, [
      'GET',
      `/chat/messages?conversation=${conversation}`,
    ]);
    expect(listed.data.map(({ saved }) => saved)).toEqual([false, false]);
    expect((await call('ben', 'DELETE', `/chat/messages/${messages[1]._id}/saved`)).body).toMatchObject({
      saved: false,
    });
    expect((await call('ben', 'POST', `/chat/conversations/${conversation}/leave`)).status).toBe(204);
    expect((await listSaved('ben')).total).toBe(total);
  });

  it("are announced to the user's own devices", async () => {
    const { conversation, messages } = await startConversation();
    const socket = await connectChat(service, people.ben);
    await save('member', messages[0]);
    await save('ben', messages[1]);
    const change = { conversation, message: messages[1]._id };
    expect(await socket.receives('message:saved')).toEqual({ ...change, saved: true });
    await call('ben', 'DELETE', `/chat/messages/${messages[1]._id}/saved`);
    expect(await socket.receives('message:saved', ({ saved }) => !saved)).toEqual({ ...change, saved: false });
  });

  it('end with their messages', async () => {
    const { messages } = await startConversation();
    const { total } = await listSaved('ben');
    await save('ben', messages[0]);
    expect((await call('member', 'DELETE', `/chat/messages/${messages[0]._id}`)).status).toBe(204);
    expect((await listSaved('ben')).total).toBe(total);
    expect((await call('ben', 'PUT', `/chat/messages/${messages[0]._id}/saved`)).status).toBe(409);
  });

  it('do not include a message that is being deleted', async () => {
    const { messages } = await startConversation();
    const { total } = await listSaved('ben');
    const db = createDb(service.env.DATABASE_URL ?? '', 1, createLogger('test', 'silent'));
    const deletion = "update messages set content = '', deleted_at = now() where message_id = $1";
    const commit = await holdLock(db, deletion, [messages[0]._id]);
    const saving = call('ben', 'PUT', `/chat/messages/${messages[0]._id}/saved`);
    await waitForLock(service);
    await commit();
    await db.pool.end();
    expect((await saving).status).toBe(409);
    expect((await listSaved('ben')).total).toBe(total);
  });

  it('are limited', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.cleo]);
    const message = await send(service, people.member, conversation);
    await service.query(
      `insert into saved_messages (user_id, message_id, conversation_id)
       select $1, 'saved ' || n, '' from generate_series(1, $2::int) as n`,
      [people.cleo._id, MAX_SAVED],
    );
    const excess = await call('cleo', 'PUT', `/chat/messages/${message._id}/saved`);
    expect(excess).toMatchObject({ status: 400, body: { message: [TOO_MANY_SAVED] } });
    await service.query("delete from saved_messages where message_id = 'saved 1'");
    expect((await save('cleo', message)).saved).toBe(true);
    await service.query("delete from saved_messages where message_id like 'saved %'");
  });
});
