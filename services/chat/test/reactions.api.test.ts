import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MAX_REACTIONS } from '@atrium/proto-events/http/chat/reactions';
import { MAX_REACTING_USERS } from '@atrium/proto-events/text/emoji';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
const pathOf = (message: string, emoji: string) => `/chat/messages/${message}/reactions/${encodeURIComponent(emoji)}`;
const call = (as: As, method: 'PUT' | 'DELETE', message: string, emoji: string) =>
  service.call(method, pathOf(message, emoji), { as: people[as] });
const react = (as: As, message: string, emoji: string) =>
  request<Message>(service, people[as], ['PUT', pathOf(message, emoji)]);
const unreact = (as: As, message: string, emoji: string) =>
  request<Message>(service, people[as], ['DELETE', pathOf(message, emoji)]);
const list = (as: As, conversation: string, query = '') =>
  request<{ data: Message[]; revision: number }>(service, people[as], [
    'GET',
    `/chat/messages?conversation=${conversation}${query}`,
  ]);
const show = (message: Message | undefined) =>
  message?.reactions.map(({ emoji, count, mine, users }) => [emoji, count, mine, users.map(({ _id }) => _id)]);

const startConversation = async () => {
  const { _id } = await createGroup(service, [people.member, people.ben]);
  return { conversation: _id, message: await send(service, people.member, _id) };
};

describe('reactions', () => {
  it('are counted by emoji, with those who reacted first, and marked for the caller', async () => {
    const { conversation, message } = await startConversation();
    await react('ben', message._id, '🎉');
    await react('member', message._id, '👍🏽');
    const response = await react('member', message._id, '🎉');
    expect(show(response)).toEqual([
      ['🎉', 2, true, [people.ben._id, people.member._id]],
      ['👍🏽', 1, true, [people.member._id]],
    ]);
    expect(show((await list('ben', conversation)).data[0])).toEqual([
      ['🎉', 2, true, [people.ben._id, people.member._id]],
      ['👍🏽', 1, false, [people.member._id]],
    ]);
    expect(show(await unreact('ben', message._id, '🎉'))).toEqual([
      ['👍🏽', 1, false, [people.member._id]],
      ['🎉', 1, false, [people.member._id]],
    ]);
    expect(show(await unreact('member', message._id, '🎉'))).toHaveLength(1);
    expect((await list('ben', conversation)).data[0]?.reactions).toHaveLength(1);
  });

  it('of the same user and emoji count once, however the emoji is written, and each change is one revision', async () => {
    const { conversation, message } = await startConversation();
    const { revision } = await list('ben', conversation);
    await Promise.all(['❤️', '❤', '❤️'].map((emoji) => react('ben', message._id, emoji)));
    const page = await list('ben', conversation, `&changedAfter=${revision}`);
    expect(page.revision).toBe(revision + 1);
    expect(show(page.data[0])).toEqual([['❤️', 1, true, [people.ben._id]]]);
    await unreact('member', message._id, '❤️');
    await unreact('ben', message._id, '❤');
    await unreact('ben', message._id, '❤️');
    const lastPage = await list('ben', conversation, `&changedAfter=${revision + 1}`);
    expect([lastPage.revision, show(lastPage.data[0])]).toEqual([revision + 2, []]);
  });

  it('arrive at all participants, with who reacted', async () => {
    const { conversation, message } = await startConversation();
    const { revision } = await list('ben', conversation);
    const socket = await connectChat(service, people.member);
    await react('ben', message._id, '👀');
    const update = await socket.receives('message:updated');
    expect(update).toMatchObject({
      revision: revision + 1,
      reacted: { user: people.ben._id, emoji: '👀', isAdded: true },
      message: { _id: message._id, content: message.content },
    });
    expect(show(update.message)).toEqual([['👀', 1, undefined, [people.ben._id]]]);
    expect(update.message.updatedAt > message.updatedAt).toBe(true);
  });

  it('succeed while events cannot be sent', async () => {
    const { conversation, message } = await startConversation();
    await service.query('alter table former_participants rename to unavailable');
    const reacted = await react('ben', message._id, '👀');
    await service.query('alter table unavailable rename to former_participants');
    expect(show(reacted)).toEqual([['👀', 1, true, [people.ben._id]]]);
    expect(show((await list('member', conversation)).data[0])).toEqual([['👀', 1, false, [people.ben._id]]]);
  });

  it('are kept when the message is edited, and removed when it is deleted', async () => {
    const { message } = await startConversation();
    await react('ben', message._id, '👀');
    const edited = await request<Message>(service, people.member, [
      'PATCH',
      `/chat/messages/${message._id}`,
      { content: 'changed' },
    ]);
    expect(show(edited)).toEqual([['👀', 1, false, [people.ben._id]]]);
    expect((await service.call('DELETE', `/chat/messages/${message._id}`, { as: people.member })).status).toBe(204);
    expect((await call('ben', 'PUT', message._id, '👀')).status).toBe(409);
    expect(await service.query('select from reactions where message_id = $1', [message._id])).toEqual([]);
  });

  it('list at most ten users, and have at most fifty emoji', async () => {
    const { conversation, message } = await startConversation();
    await service.query(
      `insert into reactions (conversation_id, message_id, emoji, user_id)
       select $1, $2, '🎉', lpad(n::text, 24, '0') from generate_series(1, 30) n
       union all select $1, $2, 'emoji ' || n, lpad(n::text, 24, '0') from generate_series(1, ${MAX_REACTIONS - 1}) n`,
      [conversation, message._id],
    );
    await service.query('update messages set reaction_count = 79 where message_id = $1', [message._id]);
    const reaction = (await react('ben', message._id, '🎉')).reactions.find(({ emoji }) => emoji === '🎉');
    expect([reaction?.count, reaction?.mine, reaction?.users.length]).toEqual([31, true, MAX_REACTING_USERS]);
    const { status, body } = await call('ben', 'PUT', message._id, '👍');
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ message: ['A message can have at most 50 different emoji'] }),
    ]);
  });

  it.each(['x', '👍👍', ':thumbsup:', '%00', ' '])('cannot be %j', async (emoji) => {
    const { message } = await startConversation();
    expect((await call('ben', 'PUT', message._id, emoji)).status).toBe(404);
  });

  it('are not possible for others, including administrators', async () => {
    const { message } = await startConversation();
    for (const as of ['stranger', 'admin'] as const)
      for (const method of ['PUT', 'DELETE'] as const)
        expect((await call(as, method, message._id, '👍')).status).toBe(404);
  });
});
