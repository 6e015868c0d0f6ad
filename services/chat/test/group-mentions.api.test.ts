import type { MentionGroup } from '@atrium/proto-events/http/chat/channels';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { MENTION_EVERYONE, MENTION_HERE, mentionOf, mentionOfGroup } from '@atrium/proto-events/text/mentions';
import { newId } from '@atrium/service-kit/process/new-id';
import { describe, expect, it } from '@jest/globals';
import { createGroup, type People, request, send } from './factories.ts';
import { changeUser, createDepartment, expectParticipants } from './member-groups.ts';
import { people, service } from './running-chat.ts';

type User = Pick<People[keyof People], '_id' | 'role'>;
type Unread = { unread: { conversation: string; mentions: number[] }[] };

const listUnreadMentions = async (as: User, conversation: string) => {
  const { unread } = await request<Unread>(service, as, ['GET', '/chat/unread']);
  return unread.find((item) => item.conversation === conversation)?.mentions ?? [];
};
const listGroups = (as: User, conversation: string, search = '') =>
  service.call('GET', `/chat/conversations/${conversation}/mention-groups?search=${search}`, { as });

async function createChannelOf(name: string) {
  const department = createDepartment(service, name, [{}, {}]);
  const channel = await request<Conversation>(service, people.member, [
    'POST',
    '/chat/conversations',
    {
      ...{ type: 'group', title: 'design', participants: [people.ben._id] },
      memberGroups: [{ type: 'department', _id: department._id }],
    },
  ]);
  await expectParticipants(service, channel._id, [people.member, people.ben, ...department.users]);
  const [first, second] = department.users;
  if (!first || !second) throw new Error('Too few users');
  return { channel: channel._id, department, first, second };
}

describe('a mention of a department', () => {
  it('counts for each of its members in the conversation', async () => {
    const { channel, department, first, second } = await createChannelOf('Engineering');
    const token = mentionOfGroup({ type: 'department', id: department._id });
    const message = await send(service, first, channel, `${token}: lunch`);
    expect(message.mentions).toEqual({
      ...{ users: [], here: false, everyone: false },
      groups: [{ type: 'department', _id: department._id, name: 'Engineering' }],
    });
    expect(await listUnreadMentions(second, channel)).toEqual([1]);
    expect(await listUnreadMentions(first, channel)).toEqual([]);
    expect(await listUnreadMentions(people.ben, channel)).toEqual([]);
    const rows = await service.query('select user_id from mentions where conversation_id = $1', [channel]);
    expect(rows).toEqual([{ user_id: department._id }]);
    const edit = { content: `${mentionOfGroup({ type: 'project', id: newId() })} ${mentionOf(people.ben._id)}` };
    const edited = await request<Message>(service, first, ['PATCH', `/chat/messages/${message._id}`, edit]);
    expect(edited.mentions.groups).toEqual([]);
    expect(await listUnreadMentions(second, channel)).toEqual([]);
  });

  it('is offered with the number of people in the conversation', async () => {
    const { channel, department, first } = await createChannelOf('Research');
    createDepartment(service, 'Research abroad', [{}]);
    changeUser(service, people.ben, { departmentId: department._id });
    const { body } = await listGroups(first, channel, 'resea');
    const expected: Omit<MentionGroup, 'participantCount'> = {
      type: 'department',
      _id: department._id,
      name: 'Research',
    };
    expect(body).toMatchObject({ data: [expected] });
    service.addProjects({
      ...{ _id: newId(), name: 'Searches', managerId: first._id, memberIds: [], deleted: false, version: 1 },
    });
    expect((await listGroups(first, channel, 'nothing')).body).toEqual({ data: [] });
    expect((await listGroups(people.stranger, channel)).status).toBe(404);
    expect((await listGroups(first, channel, 'x'.repeat(201))).status).toBe(400);
    expect((await service.call('GET', `/chat/conversations/${channel}/mention-groups`)).status).toBe(401);
  });
});

describe('a channel in which only managers mention everyone', () => {
  it('rejects such messages, replies, and edits by others', async () => {
    const { _id: channel } = await createGroup(service, [people.member, people.ben, people.admin]);
    const root = await send(service, people.ben, channel, `${MENTION_HERE} early`);
    const settings = { mentionEveryone: 'managers' };
    const path = `/chat/conversations/${channel}`;
    expect((await service.call('PATCH', path, { as: people.ben, body: settings })).status).toBe(403);
    await request(service, people.member, ['PATCH', path, settings]);
    const conversation = await request<Conversation>(service, people.ben, ['GET', path]);
    expect(conversation).toMatchObject({ mentionEveryone: 'managers', abilities: { mentionEveryone: false } });
    const group = mentionOfGroup({ type: 'department', id: newId() });
    const post = (as: User, body: object) =>
      service.call('POST', '/chat/messages', { as, body: { conversation: channel, ...body } });
    for (const content of [MENTION_EVERYONE, MENTION_HERE, group]) {
      expect(await post(people.ben, { content })).toMatchObject({
        status: 403,
        body: { message: 'Only managers of this channel can mention everyone, departments, or projects' },
      });
      expect((await post(people.ben, { content, thread: root._id })).status).toBe(403);
    }
    const edit = (id: string, content: string) =>
      service.call('PATCH', `/chat/messages/${id}`, { as: people.ben, body: { content } });
    const plain = await send(service, people.ben, channel, `${mentionOf(people.member._id)} \`${MENTION_EVERYONE}\``);
    expect((await edit(plain._id, MENTION_EVERYONE)).status).toBe(403);
    expect((await edit(root._id, `${MENTION_HERE} late`)).status).toBe(200);
    for (const as of [people.member, people.admin])
      expect((await post(as, { content: MENTION_EVERYONE })).status).toBe(201);
    expect((await post(people.stranger, { content: MENTION_EVERYONE })).status).toBe(404);
  });

  it('rejects such polls, and such comments of forwarded messages, by others', async () => {
    const { _id: conversation } = await createGroup(service, [people.member, people.ben, people.admin]);
    const { _id } = await send(service, people.ben, conversation, 'Hello');
    await request(service, people.member, [
      'PATCH',
      `/chat/conversations/${conversation}`,
      { mentionEveryone: 'managers' },
    ]);
    const ask = (as: User) =>
      service.call('POST', '/chat/polls', {
        as,
        body: { conversation, question: `${MENTION_EVERYONE} Lunch?`, options: ['Yes', 'No'] },
      });
    const forward = (as: User) =>
      service.call('POST', `/chat/messages/${_id}/forward`, { as, body: { conversation, comment: MENTION_HERE } });
    expect((await ask(people.ben)).status).toBe(403);
    expect((await forward(people.ben)).status).toBe(403);
    expect(await listUnreadMentions(people.admin, conversation)).toEqual([]);
    for (const as of [people.member, people.admin]) {
      expect((await ask(as)).status).toBe(201);
      expect((await forward(as)).status).toBe(201);
    }
    expect((await ask(people.stranger)).status).toBe(404);
  });
});
