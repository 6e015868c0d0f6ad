import { randomUUID } from 'node:crypto';
import { messageChanged } from '@atrium/proto-events/events/chat';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
const POLL = { question: 'Where do we meet?', options: ['Lisbon', 'Porto', 'Faro'] };
const createPoll = (as: As, conversation: string, settings: object = {}) =>
  request<Message>(service, people[as], ['POST', '/chat/polls', { conversation, ...POLL, ...settings }]);
const vote = (as: As, { _id }: Message, options: string[]) =>
  request<Message>(service, people[as], ['PUT', `/chat/messages/${_id}/poll/votes`, { options }]);
const tryVote = (as: As, id: string, options: unknown) =>
  call(as, 'PUT', `/chat/messages/${id}/poll/votes`, { options });
const close = (as: As, { _id }: Message) => call(as, 'POST', `/chat/messages/${_id}/poll/close`);
const listPage = (as: As, conversation: string, query = '') =>
  request<{ data: Message[]; revision: number }>(service, people[as], [
    'GET',
    `/chat/messages?conversation=${conversation}${query}`,
  ]);
const readPoll = async (as: As, { conversation, _id }: Message) =>
  (await listPage(as, conversation)).data.find((message) => message._id === _id)?.poll;
const countsOf = (message: Pick<Message, 'poll'> | undefined) => message?.poll?.options.map(({ count }) => count);
const mineOf = (message: Pick<Message, 'poll'> | undefined) => message?.poll?.options.map(({ mine }) => mine);

async function startPoll(settings: object = {}) {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben, people.cleo]);
  return { conversation, poll: await createPoll('member', conversation, settings) };
}

describe('a poll', () => {
  it('is a message whose content is its question', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
    const ben = await connectChat(service, people.ben);
    const sent = await createPoll('member', conversation, { question: ' Where  do we meet? ' });
    expect(sent).toMatchObject({ type: 'poll', seq: 1, abilities: { edit: false, delete: true } });
    expect(sent.content).toBe(sent.poll?.question);
    const option = (id: string, text: string) => ({ id, text, count: 0, mine: false, users: [] });
    expect(sent.poll).toEqual({
      question: sent.content,
      options: [option('1', 'Lisbon'), option('2', 'Porto'), option('3', 'Faro')],
      multiple: false,
      anonymous: false,
      voterCount: 0,
      votedAt: null,
      closedAt: null,
    });
    const { message } = await ben.receives('message:new');
    expect(message).toMatchObject({ _id: sent._id, type: 'poll', poll: { voterCount: 0 } });
    expect(message.poll).not.toHaveProperty('votedAt');
    expect(mineOf(message)).toEqual([undefined, undefined, undefined]);
    expect(await readPoll('ben', sent)).toEqual(sent.poll);
    const { lastMessage } = await request<Conversation>(service, people.ben, [
      'GET',
      `/chat/conversations/${conversation}`,
    ]);
    expect(lastMessage).toMatchObject({ type: 'poll', content: sent.content, poll: null });
  });

  it('is sent once for each clientMessageId', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
    const clientMessageId = randomUUID();
    const attempts = await Promise.all([1, 2, 3].map(() => createPoll('member', conversation, { clientMessageId })));
    expect(new Set(attempts.map(({ _id }) => _id)).size).toBe(1);
    const other = { conversation, content: 'Hi', clientMessageId: randomUUID() };
    await request(service, people.member, ['POST', '/chat/messages', other]);
    const reused = await call('member', 'POST', '/chat/polls', { ...POLL, ...other });
    expect(reused).toMatchObject({
      status: 409,
      body: { message: 'This clientMessageId was used for another message' },
    });
  });

  it('cannot be edited', async () => {
    const { poll } = await startPoll();
    const response = await call('member', 'PATCH', `/chat/messages/${poll._id}`, { content: 'Other' });
    expect(response).toMatchObject({ status: 403, body: { message: 'A poll cannot be edited' } });
  });

  it('loses its votes with its message', async () => {
    const { conversation, poll } = await startPoll();
    await vote('ben', poll, ['1']);
    expect((await call('member', 'DELETE', `/chat/messages/${poll._id}`)).status).toBe(204);
    expect((await listPage('ben', conversation)).data[0]).toMatchObject({ deleted: true, content: '', poll: null });
    expect(await service.query('select from poll_votes where message_id = $1', [poll._id])).toEqual([]);
    expect((await tryVote('ben', poll._id, ['1'])).status).toBe(409);
    expect((await close('member', poll)).status).toBe(409);
  });

  it('is rejected with invalid values', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.ben]);
    for (const values of [
      { question: ' ' },
      { question: 'x'.repeat(301) },
      { options: ['One'] },
      { options: Array.from({ length: 11 }, (_, index) => `Option ${index}`) },
      { options: ['Same', ' Same '] },
      { options: ['One', ''] },
      { options: ['One', 'x'.repeat(101)] },
      { multiple: 'yes' },
      { conversation: undefined },
    ])
      expect((await call('member', 'POST', '/chat/polls', { conversation, ...POLL, ...values })).status).toBe(400);
    expect((await service.call('POST', '/chat/polls', { body: { conversation, ...POLL } })).status).toBe(401);
  });

  it('can be sent by who can write in the conversation', async () => {
    const body = { type: 'group', title: 'bulletin', posting: 'managers', participants: [people.ben._id] };
    const { _id: bulletin } = await request<{ _id: string }>(service, people.member, [
      'POST',
      '/chat/conversations',
      body,
    ]);
    const tryCreate = (as: As) => call(as, 'POST', '/chat/polls', { conversation: bulletin, ...POLL });
    expect((await tryCreate('ben')).status).toBe(403);
    for (const as of ['stranger', 'admin'] as const) expect((await tryCreate(as)).status).toBe(404);
    const poll = await createPoll('member', bulletin);
    expect(countsOf(await vote('ben', poll, ['2']))).toEqual([0, 1, 0]);
    await call('member', 'POST', `/chat/conversations/${bulletin}/archive`);
    expect((await tryCreate('member')).status).toBe(409);
    expect((await tryVote('ben', poll._id, [])).status).toBe(409);
    expect((await close('member', poll)).status).toBe(409);
  });
});

describe('a vote', () => {
  it('replaces the earlier one, and can be withdrawn', async () => {
    const { poll } = await startPoll({ multiple: true });
    expect(countsOf(await vote('ben', poll, ['3', '1', '1']))).toEqual([1, 0, 1]);
    const replaced = await vote('ben', poll, ['2']);
    expect([countsOf(replaced), mineOf(replaced)]).toEqual([
      [0, 1, 0],
      [false, true, false],
    ]);
    await vote('cleo', poll, ['2', '3']);
    expect(await readPoll('ben', poll)).toMatchObject({
      voterCount: 2,
      options: [
        { count: 0, users: [] },
        { count: 2, mine: true, users: [{ _id: people.ben._id }, { _id: people.cleo._id }] },
        { count: 1, mine: false, users: [{ _id: people.cleo._id }] },
      ],
    });
    const withdrawn = await vote('ben', poll, []);
    expect(withdrawn.poll).toMatchObject({ voterCount: 1, votedAt: expect.any(String) });
    expect(mineOf(withdrawn)).toEqual([false, false, false]);
    expect(countsOf(withdrawn)).toEqual([0, 1, 1]);
  });

  it('is one revision, live for everyone, and shows the voter their own', async () => {
    const { conversation, poll } = await startPoll();
    const { revision } = await listPage('member', conversation);
    const [ben, cleo] = [await connectChat(service, people.ben), await connectChat(service, people.cleo)];
    const voted = await vote('ben', poll, ['1']);
    const [own, other] = [await ben.receives('message:updated'), await cleo.receives('message:updated')];
    for (const payload of [own, other]) {
      expect(payload.revision).toBe(revision + 1);
      expect(countsOf(payload.message)).toEqual([1, 0, 0]);
      expect(payload.message.poll?.options[0]?.users).toMatchObject([{ _id: people.ben._id }]);
    }
    expect(mineOf(own.message)).toEqual([true, false, false]);
    expect(own.message.poll?.votedAt).toBe(voted.poll?.votedAt);
    expect(mineOf(other.message)).toEqual([undefined, undefined, undefined]);
    expect(other.message.poll).not.toHaveProperty('votedAt');
    await vote('ben', poll, ['1']);
    await vote('ben', poll, []);
    await vote('ben', poll, []);
    const changed = await listPage('cleo', conversation, `&changedAfter=${revision}`);
    expect(changed.revision).toBe(revision + 2);
    expect(changed.data).toMatchObject([{ _id: poll._id, poll: { voterCount: 0, votedAt: null } }]);
    expect(ben.all('message:updated')).toHaveLength(2);
  });

  it('is counted when many users vote in parallel', async () => {
    const { poll } = await startPoll({ multiple: true });
    const voters = ['member', 'ben', 'cleo'] as const;
    const choices = [['1'], ['1', '2'], [], ['2', '3'], ['3'], ['1', '3']];
    await Promise.all(voters.flatMap((as) => choices.map((options) => vote(as, poll, options))));
    await Promise.all(voters.map((as) => vote(as, poll, ['2'])));
    expect(await readPoll('ben', poll)).toMatchObject({
      voterCount: 3,
      options: [{ count: 0 }, { count: 3 }, { count: 0 }],
    });
  });

  it('lists at most ten users, who voted first', async () => {
    const { poll } = await startPoll();
    await service.query(
      `insert into poll_votes (conversation_id, message_id, user_id, options)
       select $1, $2, lpad(n::text, 24, '0'), '{1}' from generate_series(1, 12) n`,
      [poll.conversation, poll._id],
    );
    const { options, voterCount } = (await vote('ben', poll, ['1'])).poll ?? {};
    expect([voterCount, options?.[0]?.count, options?.[0]?.mine]).toEqual([13, 13, true]);
    expect(options?.[0]?.users).toHaveLength(10);
  });

  it('is rejected for unknown options, several in a poll for one, and messages that are not polls', async () => {
    const { conversation, poll } = await startPoll();
    expect((await tryVote('ben', poll._id, ['4'])).body).toMatchObject({ message: ['The poll has no such option'] });
    expect((await tryVote('ben', poll._id, ['1', '2'])).body).toMatchObject({
      message: ['This poll allows one option'],
    });
    expect((await tryVote('ben', poll._id, 'all')).status).toBe(400);
    const message = await send(service, people.member, conversation);
    expect((await tryVote('ben', message._id, ['1'])).body).toMatchObject({ message: 'Poll not found' });
    expect((await close('member', message)).status).toBe(404);
    for (const as of ['stranger', 'admin'] as const) {
      expect((await tryVote(as, poll._id, ['1'])).status).toBe(404);
      expect((await close(as, poll)).status).toBe(404);
    }
    expect((await service.call('PUT', `/chat/messages/${poll._id}/poll/votes`, { body: { options: [] } })).status).toBe(
      401,
    );
    expect((await service.call('POST', `/chat/messages/${poll._id}/poll/close`)).status).toBe(401);
  });
});

describe('an anonymous poll', () => {
  it('does not show who has voted, in any response or event', async () => {
    const { conversation, poll } = await startPoll({ anonymous: true });
    const cleo = await connectChat(service, people.cleo);
    const ben = await connectChat(service, people.ben);
    const voted = await vote('ben', poll, ['1']);
    expect(mineOf(voted)).toEqual([true, false, false]);
    const own = await ben.receives('message:updated');
    const shared = await cleo.receives('message:updated');
    expect(mineOf(own.message)).toEqual([true, false, false]);
    const page = await listPage('cleo', conversation);
    const event = await service.waitForEvent(messageChanged, (data) => data.messageId === poll._id);
    expect(event.actorId).toBeNull();
    const { readBy: _readBy, ...listed } = page.data[0] as Message;
    for (const shown of [voted.poll, own, shared, listed, event])
      expect(JSON.stringify(shown)).not.toContain(people.ben._id);
    expect(countsOf(listed)).toEqual([1, 0, 0]);
  });
});

describe('closing a poll', () => {
  it('ends its votes, by its author or an administrator who is there', async () => {
    const { conversation, poll } = await startPoll();
    await vote('ben', poll, ['1']);
    expect((await close('ben', poll)).body).toMatchObject({ message: 'You can only close your own polls' });
    const cleo = await connectChat(service, people.cleo);
    const path = `/chat/messages/${poll._id}/poll/close`;
    const closed = await request<Message>(service, people.member, ['POST', path]);
    expect(closed.poll).toMatchObject({ closedAt: expect.any(String), voterCount: 1 });
    const { closedAt } = closed.poll ?? {};
    expect((await cleo.receives('message:updated')).message.poll?.closedAt).toBe(closedAt);
    expect((await close('member', poll)).body).toMatchObject({ poll: { closedAt } });
    expect(await tryVote('ben', poll._id, ['2'])).toMatchObject({
      status: 409,
      body: { message: 'This poll is closed' },
    });
    expect(countsOf({ poll: (await readPoll('cleo', poll)) ?? null })).toEqual([1, 0, 0]);
    await request(service, people.member, [
      'POST',
      `/chat/conversations/${conversation}/participants`,
      { userId: people.admin._id },
    ]);
    expect((await close('admin', await createPoll('ben', conversation))).status).toBe(200);
  });
});
