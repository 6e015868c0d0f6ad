import { randomUUID } from 'node:crypto';
import type { ConversationAttachment } from '@atrium/proto-events/http/chat/attachments';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FoundMessage } from '@atrium/proto-events/http/chat/search';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { sendFiles } from './files.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
type Body = { conversation: string; comment?: string; clientMessageId?: string };
const forward = (as: As, { _id }: Message, body: Body) =>
  request<Message>(service, people[as], ['POST', `/chat/messages/${_id}/forward`, body]);
const tryForward = (as: As, id: string, body: unknown) => call(as, 'POST', `/chat/messages/${id}/forward`, body);
const list = async (as: As, conversation: string) =>
  (await request<{ data: Message[] }>(service, people[as], ['GET', `/chat/messages?conversation=${conversation}`]))
    .data;
const listFiles = async (as: As, conversation: string) =>
  (
    await request<{ data: ConversationAttachment[] }>(service, people[as], [
      'GET',
      `/chat/conversations/${conversation}/attachments`,
    ])
  ).data;

/** The member and Ben are in both conversations, Cleo only in the target. */
async function startConversations() {
  const { _id: source } = await createGroup(service, [people.member, people.ben]);
  const { _id: target } = await createGroup(service, [people.member, people.ben, people.cleo]);
  return { source, target, original: await send(service, people.ben, source, `Hello <@${people.cleo._id}>`) };
}

describe('a forwarded message', () => {
  it('shows who has sent what and when, and links to the original only for those who can see it', async () => {
    const { source, target, original } = await startConversations();
    const [ben, cleo] = [await connectChat(service, people.ben), await connectChat(service, people.cleo)];
    const sent = await forward('member', original, { conversation: target, comment: ' Look ' });
    const snapshot = {
      sender: expect.objectContaining({ _id: people.ben._id }),
      content: original.content,
      mentions: expect.objectContaining({ users: [expect.objectContaining({ _id: people.cleo._id })] }),
      createdAt: original.createdAt,
    };
    const link = { message: original._id, conversation: source };
    expect(sent).toMatchObject({ content: 'Look', type: 'text', sender: { _id: people.member._id } });
    expect(sent.forwarded).toEqual({ ...snapshot, ...link });
    expect((await list('ben', target))[0]?.forwarded).toEqual({ ...snapshot, ...link });
    expect((await list('cleo', target))[0]?.forwarded).toEqual({ ...snapshot, message: null, conversation: null });
    for (const socket of [ben, cleo]) {
      const { message } = await socket.receives('message:new', (payload) => payload.message._id === sent._id);
      expect(message.forwarded).toEqual(snapshot);
    }
    await call('cleo', 'PUT', `/chat/messages/${sent._id}/pin`);
    const updated = await ben.receives('message:updated');
    expect(updated.message.forwarded).toEqual(snapshot);
    expect(
      (await request<Message>(service, people.cleo, ['GET', `/chat/messages/${sent._id}`])).forwarded?.message,
    ).toBeNull();
    expect((await call('ben', 'POST', `/chat/conversations/${source}/leave`)).status).toBe(204);
    expect((await list('ben', target))[0]?.forwarded).toMatchObject({ message: null, conversation: null });
  });

  it('notifies the users that the comment mentions, and not those that the message mentions', async () => {
    const { target, original } = await startConversations();
    const sent = await forward('member', original, { conversation: target, comment: `<@${people.ben._id}>` });
    expect(sent.mentions.users.map(({ _id }) => _id)).toEqual([people.ben._id]);
    const rows = await service.query('select user_id from mentions where conversation_id = $1', [target]);
    expect(rows).toEqual([{ user_id: people.ben._id }]);
  });

  it('is found by what it forwards', async () => {
    const { source, target } = await startConversations();
    const original = await send(service, people.member, source, 'Quarterly zeppelin');
    const sent = await forward('ben', original, { conversation: target, comment: 'See' });
    const found = await waitFor(
      async () => {
        const path = '/chat/search?q=zeppelin';
        return (await request<{ data: FoundMessage[] }>(service, people.cleo, ['GET', path])).data[0];
      },
      { description: 'the message to be indexed' },
    );
    expect(found).toMatchObject({
      message: { _id: sent._id },
      snippet: [
        { text: 'See Quarterly ', match: false },
        { text: 'zeppelin', match: true },
      ],
    });
  });

  it('stays as it was when the original is edited or deleted', async () => {
    const { target, original } = await startConversations();
    const { forwarded } = await forward('member', original, { conversation: target });
    await call('ben', 'PATCH', `/chat/messages/${original._id}`, { content: 'Changed' });
    expect((await list('member', target))[0]?.forwarded).toEqual(forwarded);
    await call('ben', 'DELETE', `/chat/messages/${original._id}`);
    expect((await list('member', target))[0]?.forwarded).toEqual(forwarded);
    const response = await tryForward('member', original._id, { conversation: target });
    expect(response).toMatchObject({ status: 409, body: { message: 'This message was deleted' } });
  });

  it('refers to the first message when it is forwarded again', async () => {
    const { source, target, original } = await startConversations();
    const first = await forward('member', original, { conversation: target, comment: 'Look' });
    const direct = await createDirect(service, people.cleo, people.ben);
    const second = await forward('cleo', first, { conversation: direct._id });
    expect(second.forwarded).toMatchObject({
      sender: { _id: people.ben._id },
      content: original.content,
      message: null,
      conversation: null,
    });
    expect((await list('ben', direct._id))[0]?.forwarded).toMatchObject({
      message: original._id,
      conversation: source,
    });
  });

  it('can be a reply, and refers to its conversation', async () => {
    const { source, target, original } = await startConversations();
    const body = { conversation: source, content: 'Reply', thread: original._id };
    const reply = await request<Message>(service, people.ben, ['POST', '/chat/messages', body]);
    const { forwarded } = await forward('member', reply, { conversation: target });
    expect(forwarded).toMatchObject({ message: reply._id, conversation: source, content: 'Reply' });
  });

  it('can be edited to be without a comment, and is empty once it is deleted', async () => {
    const { target, original } = await startConversations();
    const { _id } = await forward('member', original, { conversation: target, comment: 'Look' });
    expect((await call('member', 'PATCH', `/chat/messages/${_id}`, { content: '' })).body).toMatchObject({
      content: '',
      forwarded: { content: original.content },
    });
    await call('member', 'DELETE', `/chat/messages/${_id}`);
    expect((await list('cleo', target))[0]).toMatchObject({ deleted: true, forwarded: null });
  });

  it('is sent once for each clientMessageId', async () => {
    const { target, original } = await startConversations();
    const clientMessageId = randomUUID();
    const body = { conversation: target, clientMessageId };
    const attempts = await Promise.all([1, 2, 3].map(() => forward('member', original, body)));
    expect(new Set(attempts.map(({ _id }) => _id)).size).toBe(1);
    await call('ben', 'DELETE', `/chat/messages/${original._id}`);
    expect((await forward('member', original, body))._id).toBe(attempts[0]?._id);
    expect(await list('member', target)).toHaveLength(1);
    const other = randomUUID();
    await request(service, people.member, [
      'POST',
      '/chat/messages',
      { conversation: target, content: 'Hi', clientMessageId: other },
    ]);
    const latest = await send(service, people.member, target);
    const reused = await tryForward('member', latest._id, { conversation: target, clientMessageId: other });
    expect(reused).toMatchObject({
      status: 409,
      body: { message: 'This clientMessageId was used for another message' },
    });
  });
});

describe('the files of a forwarded message', () => {
  it('are those of the original, which outlives them and is stored once', async () => {
    const { source, target } = await startConversations();
    const original = await sendFiles(service, {
      as: people.member,
      fields: { conversation: source },
      files: [
        ['a.txt', 'a'],
        ['b.txt', 'b'],
      ],
    });
    const objects = () =>
      service.query(
        `select o.reference_count from objects o join attachments a using (object_key)
         where a.conversation_id = $1 order by a.position`,
        [target],
      );
    const sent = await forward('ben', original, { conversation: target });
    expect(sent.attachments.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
    expect(sent.attachments[0]?._id).not.toBe(original.attachments[0]?._id);
    expect(await objects()).toEqual([{ reference_count: 2 }, { reference_count: 2 }]);
    expect((await listFiles('cleo', target)).map(({ uploadedBy }) => uploadedBy._id)).toEqual([
      people.member._id,
      people.member._id,
    ]);
    await call('member', 'DELETE', `/chat/messages/${original._id}`);
    expect(await objects()).toEqual([{ reference_count: 1 }, { reference_count: 1 }]);
    const path = `/chat/attachments/${sent.attachments[0]?._id}`;
    expect((await request<ConversationAttachment>(service, people.cleo, ['GET', path])).downloadUrl).toEqual(
      expect.any(String),
    );
    expect((await call('stranger', 'GET', path)).status).toBe(404);
  });
});

describe('the space of a forwarded file', () => {
  const sendFile = (as: As, conversation: string) =>
    sendFiles(service, { as: people[as], fields: { conversation }, files: [['plan.txt', newId()]] });
  const getUsedBytes = async (as: As) =>
    (await request<{ usedBytes: number }>(service, people[as], ['GET', '/chat/attachments/limits'])).usedBytes;
  const remove = (as: As, { _id }: Message) => request(service, people[as], ['DELETE', `/chat/messages/${_id}`]);

  it('is used by its uploader while they have it, then by the first who forwarded it', async () => {
    const { source, target } = await startConversations();
    const as = ['manager', 'ben', 'cleo'] as const;
    await call('member', 'POST', `/chat/conversations/${source}/participants`, { userId: people.manager._id });
    const listObjects = () =>
      service.query('select object_key from objects where owner_id = any($1) order by object_key', [
        as.map((user) => people[user]._id),
      ]);
    const [before, objectsBefore] = [await Promise.all(as.map(getUsedBytes)), await listObjects()];
    const getAdded = async () =>
      (await Promise.all(as.map(getUsedBytes))).map((bytes, index) => bytes - (before[index] ?? 0));
    const original = await sendFile('manager', source);
    const size = original.attachments[0]?.size ?? 0;
    const byBen = await forward('ben', original, { conversation: target });
    const byCleo = await forward('cleo', byBen, { conversation: target });
    expect(await getAdded()).toEqual([size, 0, 0]);
    await remove('manager', original);
    expect(await getAdded()).toEqual([0, size, 0]);
    await remove('ben', byBen);
    expect(await getAdded()).toEqual([0, 0, size]);
    expect((await listFiles('cleo', target)).map(({ uploadedBy }) => uploadedBy._id)).toEqual([people.manager._id]);
    await remove('cleo', byCleo);
    expect(await getAdded()).toEqual([0, 0, 0]);
    expect(await listObjects()).toEqual(objectsBefore);
  });

  it('stays with its uploader until they have deleted all messages with it', async () => {
    const { source, target } = await startConversations();
    const original = await sendFile('member', source);
    const own = await forward('member', original, { conversation: target });
    await forward('ben', original, { conversation: target });
    const [used, usedByBen] = [await getUsedBytes('member'), await getUsedBytes('ben')];
    await remove('member', original);
    expect([await getUsedBytes('member'), await getUsedBytes('ben')]).toEqual([used, usedByBen]);
    const size = original.attachments[0]?.size ?? 0;
    await remove('member', own);
    expect([await getUsedBytes('member'), await getUsedBytes('ben')]).toEqual([used - size, usedByBen + size]);
  });
});

describe('forwarding', () => {
  it('is rejected without access to the original or to the target, as if they did not exist', async () => {
    const { source, target, original } = await startConversations();
    for (const as of ['cleo', 'stranger', 'admin'] as const)
      expect((await tryForward(as, original._id, { conversation: target })).body).toMatchObject({
        message: 'Message not found',
      });
    const { _id: own } = await createGroup(service, [people.cleo]);
    expect((await tryForward('ben', original._id, { conversation: own })).body).toMatchObject({
      message: 'Conversation not found',
    });
    expect((await tryForward('ben', 'f'.repeat(24), { conversation: source })).status).toBe(404);
    expect((await service.call('POST', `/chat/messages/${original._id}/forward`, { body: {} })).status).toBe(401);
    expect(await list('cleo', own)).toEqual([]);
  });

  it('is rejected where the user cannot write', async () => {
    const { source, original } = await startConversations();
    const body = { type: 'group', title: 'bulletin', posting: 'managers', participants: [people.ben._id] };
    const { _id: bulletin } = await request<{ _id: string }>(service, people.member, [
      'POST',
      '/chat/conversations',
      body,
    ]);
    expect((await tryForward('ben', original._id, { conversation: bulletin })).status).toBe(403);
    expect((await forward('member', original, { conversation: bulletin })).forwarded?.conversation).toBe(source);
    await call('member', 'POST', `/chat/conversations/${bulletin}/archive`);
    expect((await tryForward('member', original._id, { conversation: bulletin })).status).toBe(409);
  });

  it('is rejected with invalid values', async () => {
    const { original, target } = await startConversations();
    expect((await tryForward('ben', original._id, {})).status).toBe(400);
    expect((await tryForward('ben', original._id, { conversation: target, comment: 'x'.repeat(10_001) })).status).toBe(
      400,
    );
    expect((await tryForward('ben', original._id, { conversation: target, clientMessageId: '1' })).status).toBe(400);
  });
});

it('messages with the same files in different orders can be forwarded at the same time', async () => {
  const { source } = await startConversations();
  const [first, second] = [
    ['a.txt', newId()],
    ['b.txt', newId()],
  ] as const;
  const originals = await Promise.all(
    [
      [first, second],
      [second, first],
    ].map((files) => sendFiles(service, { as: people.member, fields: { conversation: source }, files })),
  );
  const targets = await Promise.all(
    Array.from({ length: 12 }, async () => (await createGroup(service, [people.member]))._id),
  );
  const forwards = await Promise.all(
    targets.map((conversation, index) => tryForward('member', originals[index % 2]?._id ?? '', { conversation })),
  );
  expect(forwards.map(({ status }) => status)).toEqual(targets.map(() => 201));
  const names = (forwards as { body: Message }[]).map(({ body }) => body.attachments.map(({ name }) => name).join());
  expect(names).toEqual(targets.map((_, index) => (index % 2 === 0 ? 'a.txt,b.txt' : 'b.txt,a.txt')));
});
