import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MENTION_EVERYONE, MENTION_HERE, mentionOf, mentionOfGroup } from '@atrium/proto-events/text/mentions';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { people, service } from './running-chat.ts';

type As = keyof People;
type Unread = { unread: { conversation: string; count: number; mentions: number[] }[]; threads: number };

const startConversation = async () => (await createGroup(service, [people.member, people.ben, people.cleo]))._id;
const listUnreadMentions = async (as: As, conversation: string) => {
  const { unread } = await request<Unread>(service, people[as], ['GET', '/chat/unread']);
  return unread.find((item) => item.conversation === conversation)?.mentions ?? [];
};
const edit = (as: As, { _id }: Message, content: string) =>
  request<Message>(service, people[as], ['PATCH', `/chat/messages/${_id}`, { content }]);

describe('mentions', () => {
  it('are contained in the message, and counted for those who have not read it', async () => {
    const conversation = await startConversation();
    await send(service, people.member, conversation, 'Hello');
    const message = await send(service, people.member, conversation, `${mentionOf(people.ben._id)}, are you there?`);
    expect(message.mentions).toMatchObject({
      users: [{ _id: people.ben._id, firstName: 'Ben' }],
      here: false,
      everyone: false,
    });
    await send(service, people.member, conversation, `${MENTION_EVERYONE} and ${mentionOf(people.ben._id)}: lunch`);
    await send(service, people.cleo, conversation, `${MENTION_HERE} coming`);
    expect(await listUnreadMentions('ben', conversation)).toEqual([2, 3, 4]);
    expect(await listUnreadMentions('cleo', conversation)).toEqual([3]);
    expect(await listUnreadMentions('member', conversation)).toEqual([4]);
    await request(service, people.ben, ['POST', `/chat/conversations/${conversation}/read`, { seq: 3 }]);
    expect(await listUnreadMentions('ben', conversation)).toEqual([4]);
  });

  it('follow edits, and end with the message', async () => {
    const conversation = await startConversation();
    const message = await send(service, people.member, conversation, 'Who comes?');
    expect((await edit('member', message, `${mentionOf(people.ben._id)}, you?`)).mentions.users).toMatchObject([
      { _id: people.ben._id },
    ]);
    expect(await listUnreadMentions('ben', conversation)).toEqual([1]);
    await edit('member', message, `${mentionOf(people.cleo._id)}, you?`);
    expect(await listUnreadMentions('ben', conversation)).toEqual([]);
    expect(await listUnreadMentions('cleo', conversation)).toEqual([1]);
    await service.call('DELETE', `/chat/messages/${message._id}`, { as: people.member });
    expect(await listUnreadMentions('cleo', conversation)).toEqual([]);
  });

  it('of users who are not in the conversation are named to the sender, and reach nobody', async () => {
    const conversation = await startConversation();
    const content = `${mentionOf(people.stranger._id)} ${mentionOf(people.ben._id)} ${mentionOf('0'.repeat(24))}`;
    const message = await send(service, people.member, conversation, content);
    expect(message.unreachable?.map(({ _id }) => _id)).toEqual([people.stranger._id]);
    expect(await listUnreadMentions('stranger', conversation)).toEqual([]);
    expect(await send(service, people.member, conversation, 'ok')).not.toHaveProperty('unreachable');
  });

  it('can have the same id for a user and for groups', async () => {
    const conversation = await startConversation();
    const id = people.ben._id;
    const content = `${mentionOf(id)} ${mentionOfGroup({ type: 'department', id })} ${mentionOfGroup({ type: 'project', id })}`;
    const message = await send(service, people.member, conversation, content);
    expect(message.mentions.users).toMatchObject([{ _id: id }]);
    expect((await edit('member', message, `${content}!`)).content).toBe(`${content}!`);
    expect(await listUnreadMentions('ben', conversation)).toEqual([1]);
  });

  it('in a reply let users follow the thread, and do not count in the conversation', async () => {
    const conversation = await startConversation();
    const root = await send(service, people.member, conversation, 'root');
    const countThreads = async (as: As) =>
      (await request<Unread>(service, people[as], ['GET', '/chat/unread'])).threads;
    const before = await countThreads('cleo');
    const content = `${mentionOf(people.cleo._id)} ${mentionOf(people.stranger._id)}`;
    await request(service, people.ben, ['POST', '/chat/messages', { conversation, thread: root._id, content }]);
    expect(await countThreads('cleo')).toBe(before + 1);
    expect(await listUnreadMentions('cleo', conversation)).toEqual([]);
    expect((await service.call('GET', `/chat/messages/${root._id}/thread`, { as: people.stranger })).status).toBe(404);
  });
});
