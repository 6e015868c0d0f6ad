import { randomUUID } from 'node:crypto';
import { messageChanged, messageSent } from '@atrium/proto-events/events/chat';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { RANGES } from '../src/model/messages/message-page.ts';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';

const UNKNOWN = 'f'.repeat(24);
type Page = { data: Message[]; total: number; hasMore: boolean };

const post = (as: keyof People, body: unknown) => call(as, 'POST', '/chat/messages', body);
const list = (as: keyof People, conversation: string, query = '') =>
  request<Page>(service, people[as], ['GET', `/chat/messages?conversation=${conversation}${query}`]);
const listSeqs = ({ data }: Page) => data.map(({ seq }) => seq);

describe('POST /chat/messages', () => {
  it('sends a message with the next seq and publishes ids only', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await send(service, people.ben, _id);
    const { status, body } = await post('member', { conversation: _id, content: 'Good morning', sender: UNKNOWN });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      conversation: _id,
      seq: 2,
      content: 'Good morning',
      type: 'text',
      sender: { _id: people.member._id, firstName: 'Mia' },
      clientMessageId: null,
      editedAt: null,
      deleted: false,
      attachments: [],
    });
    expect((await list('ben', _id)).data.map(({ attachments }) => attachments)).toEqual([[], []]);
    const event = await service.waitForEvent(messageSent, (data) => data.messageId === (body as Message)._id);
    expect(event.data).toEqual({
      conversationId: _id,
      messageId: (body as Message)._id,
      seq: 2,
      senderId: people.member._id,
    });
  });

  it('returns the original message for a retry with the same clientMessageId, even if retries are concurrent', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const clientMessageId = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        post('member', { conversation: _id, content: `try ${index}`, clientMessageId }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const laterResponse = await post('member', { conversation: _id, content: 'once more', clientMessageId });
    expect(laterResponse.body).toEqual(responses[0]?.body);
    expect((await list('ben', _id)).total).toBe(1);
    const othersResponse = await post('ben', {
      conversation: _id,
      content: 'same id, different sender',
      clientMessageId,
    });
    expect(othersResponse.body).toMatchObject({ seq: 2 });
  });

  it('assigns seqs 1 to 50 to fifty concurrent messages', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessages = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(service, index % 2 === 0 ? people.member : people.ben, _id, `message ${index}`),
      ),
    );
    expect(sentMessages.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    expect(await request(service, people.member, ['GET', `/chat/conversations/${_id}/unread-count`])).toMatchObject({
      count: 25,
    });
    await waitFor(() => service.waitForEvent(messageSent, (data) => data.conversationId === _id && data.seq === 50), {
      description: 'the last of them to be published',
    });
  });

  it.each([
    [{ content: 'x' }, 400],
    [{ conversation: 'nonsense', content: 'x' }, 400],
    [{ conversation: UNKNOWN, content: 'x' }, 404],
    [{ conversation: UNKNOWN, content: 'x', clientMessageId: 'no-uuid' }, 400],
  ])('responds to %j with %i', async (body, status) => {
    expect((await post('member', body)).status).toBe(status);
  });

  it.each([
    ['missing', undefined, 'Message cannot be empty'],
    ['empty', '', 'Message cannot be empty'],
    ['blank', ' \n ', 'Message cannot be empty'],
    ['too long', 'x'.repeat(10_001), 'Message must be at most 10000 characters'],
  ])('rejects content that is %s', async (_problem, content, sentence) => {
    const { _id } = await createGroup(service, [people.member]);
    const response = await post('member', { conversation: _id, content });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ message: [sentence] });
  });

  it('keeps line breaks, emoji, and markup, and replaces null characters', async () => {
    const { _id } = await createGroup(service, [people.member]);
    const content = ' <b>"quotes"</b> \\ \n👩‍🚀 𝒳 %s $1 ';
    expect((await send(service, people.member, _id, content)).content).toBe(content.trim());
    expect((await send(service, people.member, _id, 'a\u0000b')).content).toBe('a\uFFFDb');
  });

  it('responds with 404 to non-participants, including administrators', async () => {
    const { _id } = await createGroup(service, [people.member]);
    expect((await post('stranger', { conversation: _id, content: 'x' })).status).toBe(404);
    expect((await post('admin', { conversation: _id, content: 'x' })).status).toBe(404);
    expect((await service.call('POST', '/chat/messages', { body: {} })).status).toBe(401);
  });
});

describe('GET /chat/messages', () => {
  it('returns the newest messages in ascending order, and pages by seq in both directions', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    for (let index = 1; index <= 7; index += 1) await send(service, people.ben, _id, String(index));
    const newestPage = await list('member', _id, '&limit=3');
    expect(listSeqs(newestPage)).toEqual([5, 6, 7]);
    expect(newestPage).toMatchObject({ total: 7, page: 1, totalPages: 3, hasMore: true });
    expect(listSeqs(await list('member', _id, '&limit=3&before=5'))).toEqual([2, 3, 4]);
    const firstPage = await list('member', _id, '&limit=3&before=2');
    expect([listSeqs(firstPage), firstPage.hasMore]).toEqual([[1], false]);
    const missedPage = await list('member', _id, '&limit=3&after=2');
    expect([listSeqs(missedPage), missedPage.hasMore]).toEqual([[3, 4, 5], true]);
    expect(listSeqs(await list('member', _id, '&after=7'))).toEqual([]);
    expect(listSeqs(await list('member', _id, '&after=2&before=5'))).toEqual([3, 4]);
  });

  it('rejects an invalid query, non-participants, and requests without a token', async () => {
    const { _id } = await createGroup(service, [people.member]);
    expect((await call('member', 'GET', '/chat/messages')).status).toBe(400);
    expect((await call('member', 'GET', '/chat/messages?conversation=nonsense')).status).toBe(400);
    for (const seq of ['x', '', '-1', '1.5', '9007199254740993']) {
      expect([seq, (await call('member', 'GET', `/chat/messages?conversation=${_id}&after=${seq}`)).status]).toEqual([
        seq,
        400,
      ]);
    }
    const maxSeqPath = `/chat/messages?conversation=${_id}&after=${Number.MAX_SAFE_INTEGER}`;
    expect((await call('member', 'GET', maxSeqPath)).status).toBe(200);
    expect((await call('stranger', 'GET', `/chat/messages?conversation=${_id}`)).status).toBe(404);
    expect((await call('admin', 'GET', `/chat/messages?conversation=${_id}`)).status).toBe(404);
    expect((await service.call('GET', `/chat/messages?conversation=${_id}`)).status).toBe(401);
  });
});

describe('queries of messages on large, skewed data', () => {
  it('use the primary key with custom and generic plans', async () => {
    const client = new pg.Client({ connectionString: service.env.DATABASE_URL });
    await client.connect();
    try {
      await client.query(`insert into messages (conversation_id, seq, message_id, sender_id, content, type)
        select case when n <= 100000 then 'large' else 'small' || n % 2000 end, n, 'm' || n, 's', 'x', 'text'
        from generate_series(1, 110000) n`);
      await client.query('analyze messages');
      const explain = async (name: string, parameters: string) => {
        const { rows } = await client.query(`explain execute ${name}(${parameters})`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      };
      await client.query(`prepare before(text, text, int, bigint) as ${RANGES.before}`);
      await client.query(`prepare after(text, text, int, bigint, bigint) as ${RANGES.after}`);
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await client.query(`set plan_cache_mode = ${mode}`);
        for (const id of ['large', 'small7', 'nobody']) {
          for (const plan of [
            await explain('before', `'${id}', 'viewer', 100, 9007199254740991`),
            await explain('before', `'${id}', 'viewer', 100, 50`),
            await explain('after', `'${id}', 'viewer', 100, 99990, 9007199254740991`),
          ]) {
            expect(plan).toMatch(/Index Scan (Backward )?using messages_pkey/);
            expect(plan).not.toMatch(/Sort|Seq Scan|Filter/);
          }
        }
      }
    } finally {
      await client.end();
    }
  });
});

describe('a participant who is removed while sending messages', () => {
  it('can send only before the removal, which leaves no gaps in the seqs', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sends = Array.from({ length: 40 }, (_, index) => post('ben', { conversation: _id, content: String(index) }));
    const removal = call('member', 'DELETE', `/chat/conversations/${_id}/participants/${people.ben._id}`);
    const statuses = (await Promise.all(sends)).map(({ status }) => status);
    expect((await removal).status).toBe(204);
    expect(statuses.filter((status) => status !== 201 && status !== 404)).toEqual([]);
    const page = await list('member', _id, '&limit=100');
    expect(listSeqs(page)).toEqual(listSeqs(page).map((_, index) => index + 1));
    expect(page.total).toBe(statuses.filter((status) => status === 201).length);
  });
});

describe('PATCH /chat/messages/:id', () => {
  it('lets the sender change the text, and publishes the change', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessage = await send(service, people.member, _id, 'teh');
    const { status, body } = await call('member', 'PATCH', `/chat/messages/${sentMessage._id}`, { content: 'the' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ content: 'the', seq: sentMessage.seq, editedAt: expect.any(String) });
    const event = await service.waitForEvent(messageChanged, (data) => data.messageId === sentMessage._id);
    expect(event.data).toEqual({
      conversationId: _id,
      messageId: sentMessage._id,
      seq: sentMessage.seq,
      action: 'edited',
      revision: 1,
    });
    expect((await list('ben', _id)).data).toMatchObject([{ content: 'the' }]);
  });

  it('changes nothing if the text is the same: no edit mark and no revision', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessage = await send(service, people.member, _id, 'as it was');
    const { status, body } = await call('member', 'PATCH', `/chat/messages/${sentMessage._id}`, {
      content: 'as it was',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ content: 'as it was', editedAt: null, updatedAt: sentMessage.updatedAt });
    expect(await service.query('select from message_changes where conversation_id = $1', [_id])).toEqual([]);
    expect((await call('ben', 'PATCH', `/chat/messages/${sentMessage._id}`, { content: 'as it was' })).status).toBe(
      403,
    );
    await call('member', 'DELETE', `/chat/messages/${sentMessage._id}`);
    expect((await call('member', 'PATCH', `/chat/messages/${sentMessage._id}`, { content: 'as it was' })).status).toBe(
      409,
    );
  });

  it('denies other participants with 403, and responds with 404 to everyone else', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessage = await send(service, people.member, _id);
    const edit = (as: keyof People, id = sentMessage._id, body: unknown = { content: 'x' }) =>
      call(as, 'PATCH', `/chat/messages/${id}`, body);
    expect((await edit('ben')).status).toBe(403);
    expect((await edit('stranger')).status).toBe(404);
    expect((await edit('member', UNKNOWN)).status).toBe(404);
    expect((await edit('member', 'nonsense')).status).toBe(404);
    expect((await edit('member', sentMessage._id, { content: ' ' })).status).toBe(400);
    expect((await service.call('PATCH', `/chat/messages/${sentMessage._id}`, { body: {} })).status).toBe(401);
  });

  it('rejects a deleted message, and a message in a conversation that the sender has left', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const deletedMessage = await send(service, people.member, _id);
    await call('member', 'DELETE', `/chat/messages/${deletedMessage._id}`);
    expect((await call('member', 'PATCH', `/chat/messages/${deletedMessage._id}`, { content: 'x' })).status).toBe(409);
    const messageOfFormerMember = await send(service, people.ben, _id);
    await call('member', 'DELETE', `/chat/conversations/${_id}/participants/${people.ben._id}`);
    expect((await call('ben', 'PATCH', `/chat/messages/${messageOfFormerMember._id}`, { content: 'x' })).status).toBe(
      404,
    );
  });
});

describe('DELETE /chat/messages/:id', () => {
  const remove = (as: keyof People, id: string) => call(as, 'DELETE', `/chat/messages/${id}`);

  it('leaves a tombstone with its seq and without content, and publishes the deletion once', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessage = await send(service, people.member, _id, 'secret');
    expect((await remove('member', sentMessage._id)).status).toBe(204);
    expect((await remove('member', sentMessage._id)).status).toBe(204);
    expect((await list('ben', _id)).data).toMatchObject([{ seq: 1, content: '', deleted: true }]);
    const event = await service.waitForEvent(messageChanged, (data) => data.messageId === sentMessage._id);
    expect(event.data).toMatchObject({ seq: 1, action: 'deleted' });
    expect((await send(service, people.ben, _id)).seq).toBe(2);
  });

  it('lets an administrator delete messages of others in groups, but not in direct conversations', async () => {
    const group = await createGroup(service, [people.member, people.ben]);
    const direct = await createDirect(service, people.member, people.ben);
    const groupMessage = await send(service, people.member, group._id);
    const directMessage = await send(service, people.member, direct._id);
    expect((await remove('admin', groupMessage._id)).status).toBe(204);
    expect((await remove('admin', directMessage._id)).status).toBe(404);
  });

  it('denies other participants with 403, and responds with 404 to everyone else', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const sentMessage = await send(service, people.member, _id);
    expect((await remove('ben', sentMessage._id)).status).toBe(403);
    expect((await remove('stranger', sentMessage._id)).status).toBe(404);
    expect((await remove('member', UNKNOWN)).status).toBe(404);
    expect((await remove('member', 'nonsense')).status).toBe(404);
    expect((await service.call('DELETE', `/chat/messages/${sentMessage._id}`)).status).toBe(401);
  });
});
