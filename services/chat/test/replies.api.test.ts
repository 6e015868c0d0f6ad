import { messageRejected, messageSent, replySent } from '@atrium/proto-events/events/chat';
import { messageReplied } from '@atrium/proto-events/events/notifications';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MENTION_EVERYONE } from '@atrium/proto-events/text/mentions';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat } from './sockets.ts';

type As = keyof People;
type Place = { conversation: string } | { thread: string };

const placeOf = (place: Place) =>
  'thread' in place
    ? { place: 'thread' as const, placeId: place.thread }
    : { place: 'conversation' as const, placeId: place.conversation };

/** Delivers the reply twice, which can happen to any event. */
const reply = (as: As, place: Place, text = 'By email') =>
  service.deliver(messageReplied, { ...placeOf(place), userId: people[as]._id, text }, 2);
const list = async (as: As, conversation: string) =>
  (await request<{ data: Message[] }>(service, people[as], ['GET', `/chat/messages?conversation=${conversation}`]))
    .data;
const listReplies = async (as: As, root: string) =>
  (await request<{ data: Message[] }>(service, people[as], ['GET', `/chat/messages/${root}/thread`])).data;
const toContents = (messages: readonly Message[]) => messages.map(({ content, sender }) => [content, sender._id]);
const waitForRejection = async (placeId: string) =>
  (await service.waitForEvent(messageRejected, (data) => data.placeId === placeId)).data;
const countRejected = (placeId: string) =>
  new Set(service.listPublished(messageRejected, (data) => data.placeId === placeId).map(({ id }) => id)).size;

async function startThread() {
  const { _id: conversation } = await createGroup(service, [people.member, people.ben, people.cleo]);
  const { _id: root } = await send(service, people.member, conversation, 'Where do we meet?');
  return { conversation, root };
}

describe('a reply by email to a message', () => {
  it('is a message of its user in the direct conversation, once, and reaches sockets', async () => {
    const { _id: conversation } = await createDirect(service, people.member, people.ben);
    await send(service, people.member, conversation, 'Lunch?');
    const socket = await connectChat(service, people.member);
    await reply('ben', { conversation }, ' בשמחה \n\nLúc mười hai giờ ');
    await socket.receives('message:new', ({ message }) => message.conversation === conversation);
    expect(toContents(await list('member', conversation))).toEqual([
      ['Lunch?', people.member._id],
      ['בשמחה \n\nLúc mười hai giờ', people.ben._id],
    ]);
    expect(service.countPublished(messageSent, ({ conversationId }) => conversationId === conversation)).toBe(2);
    expect(countRejected(conversation)).toBe(0);
  });

  it('belongs to the thread of a message, which it starts or continues', async () => {
    const { conversation, root } = await startThread();
    await reply('ben', { thread: root }, 'In the kitchen');
    await reply('cleo', { thread: root }, 'Or outside');
    expect(toContents(await listReplies('member', root))).toEqual([
      ['In the kitchen', people.ben._id],
      ['Or outside', people.cleo._id],
    ]);
    expect((await list('ben', conversation)).map(({ content, thread }) => [content, thread])).toEqual([
      ['Where do we meet?', expect.objectContaining({ replyCount: 2, followed: true })],
    ]);
    expect(service.countPublished(replySent, ({ rootId }) => rootId === root)).toBe(2);
  });

  it('belongs to the thread of a reply that the conversation shows, too', async () => {
    const { conversation, root } = await startThread();
    const shown = await request<Message>(service, people.member, [
      'POST',
      '/chat/messages',
      { conversation, thread: root, content: 'For all', alsoInConversation: true },
    ]);
    await reply('ben', { thread: shown._id }, 'Thanks');
    expect((await listReplies('member', root)).map(({ content }) => content)).toEqual(['For all', 'Thanks']);
  });

  it('is rejected once after the user has left, without revealing whether the conversation exists', async () => {
    const { conversation, root } = await startThread();
    await reply('ben', { thread: root }, 'Before');
    expect((await call('ben', 'POST', `/chat/conversations/${conversation}/leave`)).status).toBe(204);
    for (const place of [{ thread: root }, { conversation }]) {
      await reply('ben', place, 'After');
      const { placeId } = placeOf(place);
      expect(await waitForRejection(placeId)).toEqual({
        placeId,
        userId: people.ben._id,
        reason: 'The conversation was deleted, or you are no longer in it',
      });
      expect(countRejected(placeId)).toBe(1);
    }
    expect((await listReplies('member', root)).map(({ content }) => content)).toEqual(['Before']);
    expect(await list('member', conversation)).toHaveLength(1);
    for (const unknown of [{ thread: newId() }, { conversation: newId() }]) {
      await reply('member', unknown);
      expect((await waitForRejection(placeOf(unknown).placeId)).reason).toBe(
        'The conversation was deleted, or you are no longer in it',
      );
    }
  });

  it('is rejected with the reason of an API call where the user cannot write', async () => {
    const { conversation, root } = await startThread();
    const settings = (body: object) => call('member', 'PATCH', `/chat/conversations/${conversation}`, body);
    expect((await settings({ posting: 'managers', mentionEveryone: 'managers' })).status).toBe(200);
    await reply('ben', { conversation }, 'Hello');
    expect((await waitForRejection(conversation)).reason).toBe('Only managers of this channel can write in it');
    await reply('ben', { thread: root }, `${MENTION_EVERYONE} hello`);
    expect((await waitForRejection(root)).reason).toMatch(/^Only managers of this channel can mention everyone/);
    await reply('ben', { thread: root }, 'A reply is allowed');
    expect((await listReplies('member', root)).map(({ content }) => content)).toEqual(['A reply is allowed']);
  });

  it('is rejected in an archived channel', async () => {
    const { conversation, root } = await startThread();
    expect((await call('member', 'POST', `/chat/conversations/${conversation}/archive`)).status).toBeLessThan(300);
    for (const place of [{ thread: root }, { conversation }]) {
      await reply('ben', place);
      expect((await waitForRejection(placeOf(place).placeId)).reason).toBe('This channel is archived');
    }
    expect(await listReplies('member', root)).toEqual([]);
  });

  it('is rejected from a deactivated user, and if the text is too long', async () => {
    const [first, second] = [await startThread(), await startThread()];
    await reply('inactive', { thread: first.root });
    expect((await waitForRejection(first.root)).reason).toBe('Your account was deactivated');
    await reply('ben', { thread: second.root }, 'x'.repeat(10_001));
    expect((await waitForRejection(second.root)).reason).toBe('Message must be at most 10000 characters');
    expect(await listReplies('member', second.root)).toEqual([]);
  });
});
