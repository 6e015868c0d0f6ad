import type { Channel } from '@atrium/proto-events/http/chat/channels';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { call, people, service } from './running-chat.ts';
import { connectChat, connectLive } from './sockets.ts';

type As = keyof People;
type Page = { data: Channel[]; total: number };

const create = (title: string, body: object = {}) =>
  request<Conversation>(service, people.member, [
    'POST',
    '/chat/conversations',
    { type: 'group', title, participants: [people.ben._id], ...body },
  ]);
const find = (as: As, search: string, query = '') =>
  request<Page>(service, people[as], ['GET', `/chat/channels?search=${encodeURIComponent(search)}${query}`]);
const join = (as: As, { _id }: Conversation) => call(as, 'POST', `/chat/channels/${_id}/join`);
const archive = (as: As, { _id }: Conversation) => call(as, 'POST', `/chat/conversations/${_id}/archive`);
const restore = (as: As, { _id }: Conversation) => call(as, 'POST', `/chat/conversations/${_id}/restore`);
const read = (as: As, { _id }: Conversation) =>
  request<Conversation>(service, people[as], ['GET', `/chat/conversations/${_id}`]);
const post = (as: As, { _id }: Conversation, body: object = {}) =>
  call(as, 'POST', '/chat/messages', { conversation: _id, content: 'Hello', ...body });

describe('a public channel', () => {
  it('can be found by name and purpose, and joined', async () => {
    const channel = await create('lunch-lovers', { visibility: 'public', purpose: 'Wo gibt es Käsespätzle?' });
    await create('lunch-secret');
    const expected = { _id: channel._id, title: 'lunch-lovers', participantCount: 2, archived: false };
    expect((await find('stranger', 'lunch')).data).toMatchObject([{ ...expected, joined: false }]);
    expect((await find('stranger', 'kasespatzle lovers')).data).toMatchObject([expected]);
    expect((await find('member', 'lunch')).data).toMatchObject([{ ...expected, joined: true }]);
    expect((await find('stranger', '!')).total).toBe(0);
    await send(service, people.member, channel._id);
    expect((await call('stranger', 'GET', `/chat/messages?conversation=${channel._id}`)).status).toBe(404);
    const socket = await connectChat(service, people.ben);
    expect(await join('stranger', channel)).toMatchObject({ status: 200, body: { lastSeq: 1, unreadCount: 0 } });
    expect((await join('stranger', channel)).status).toBe(200);
    expect((await post('stranger', channel)).status).toBe(201);
    await socket.receives('conversation:participant_added', ({ addedUserId }) => addedUserId === people.stranger._id);
    expect((await find('stranger', 'lunch')).data).toMatchObject([{ participantCount: 3, joined: true }]);
  });

  it('is announced to everyone who looks at channels, also when it becomes private', async () => {
    const socket = await connectLive(service, people.stranger);
    await socket.subscribe(['channels']);
    const channel = await create('announced', { visibility: 'public' });
    await socket.receives(
      ({ resource, id, action }) => resource === 'channel' && id === channel._id && action === 'created',
    );
    await request(service, people.member, ['PATCH', `/chat/conversations/${channel._id}`, { visibility: 'private' }]);
    await socket.receives(
      ({ resource, id, action }) => resource === 'channel' && id === channel._id && action === 'updated',
    );
    expect((await find('stranger', 'announced')).data).toEqual([]);
    expect((await join('cleo', channel)).status).toBe(404);
    expect(JSON.stringify(socket.frames)).not.toContain('announced');
  });
});

describe('a channel', () => {
  it('is private unless its creator says otherwise, and cannot be joined', async () => {
    const channel = await create('private-one');
    expect(channel).toMatchObject({ visibility: 'private', purpose: '', posting: 'everyone', archived: false });
    expect((await join('stranger', channel)).status).toBe(404);
    expect((await join('stranger', { ...channel, _id: 'f'.repeat(24) })).status).toBe(404);
  });

  it('for announcements takes messages from its creator and administrators, and replies from everyone', async () => {
    const channel = await create('announcements', { posting: 'managers' });
    await call('member', 'POST', `/chat/conversations/${channel._id}/participants`, { userId: people.admin._id });
    expect((await post('ben', channel)).body).toMatchObject({
      message: 'Only managers of this channel can write in it',
    });
    expect((await post('ben', channel)).status).toBe(403);
    expect((await post('stranger', channel)).status).toBe(404);
    expect((await read('ben', channel)).abilities).toMatchObject({ post: false, archive: false });
    const root = await send(service, people.member, channel._id);
    await send(service, people.admin, channel._id);
    expect((await post('ben', channel, { thread: root._id })).status).toBe(201);
    expect((await post('ben', channel, { thread: root._id, alsoInConversation: true })).status).toBe(403);
    const socket = await connectChat(service, people.ben);
    await request(service, people.member, ['PATCH', `/chat/conversations/${channel._id}`, { posting: 'everyone' }]);
    const update = await socket.receives('conversation:updated');
    expect([update.conversation.posting, update.personal?.abilities.post]).toEqual(['everyone', true]);
    expect((await post('ben', channel)).status).toBe(201);
  });

  it('changes its settings by its creator and administrators', async () => {
    const channel = await create('settings');
    const change = (as: As, body: object) => call(as, 'PATCH', `/chat/conversations/${channel._id}`, body);
    expect((await change('ben', { purpose: 'x' })).status).toBe(403);
    expect((await change('stranger', { purpose: 'x' })).status).toBe(404);
    expect((await change('member', { purpose: ' Where we talk ' })).body).toMatchObject({ purpose: 'Where we talk' });
    expect((await change('admin', { visibility: 'public' })).body).toMatchObject({ visibility: 'public' });
    expect((await change('member', {})).status).toBe(400);
    expect((await change('member', { visibility: 'hidden' })).status).toBe(400);
    const direct = await createDirect(service, people.member, people.ben);
    expect((await call('member', 'PATCH', `/chat/conversations/${direct._id}`, { purpose: 'x' })).status).toBe(409);
  });

  it('can be read but not changed while it is archived', async () => {
    const channel = await create('old-project', { visibility: 'public' });
    const message = await send(service, people.member, channel._id);
    await post('ben', channel, { thread: message._id });
    expect((await archive('ben', channel)).status).toBe(403);
    expect((await archive('stranger', channel)).status).toBe(404);
    const socket = await connectChat(service, people.ben);
    expect(await archive('member', channel)).toMatchObject({ status: 200, body: { archived: true } });
    const update = await socket.receives('conversation:updated');
    expect([update.conversation.archived, update.personal?.abilities.post]).toEqual([true, false]);
    for (const [method, path, body] of [
      ['POST', '/chat/messages', { conversation: channel._id, content: 'x' }],
      ['POST', '/chat/messages', { conversation: channel._id, thread: message._id, content: 'x' }],
      ['PATCH', `/chat/messages/${message._id}`, { content: 'x' }],
      ['PUT', `/chat/messages/${message._id}/reactions/${encodeURIComponent('👍')}`, undefined],
      ['PUT', `/chat/messages/${message._id}/pin`, undefined],
    ] as const)
      expect([path, (await call('member', method, path, body)).body]).toEqual([
        path,
        expect.objectContaining({ message: 'This channel is archived' }),
      ]);
    expect((await call('ben', 'GET', `/chat/messages?conversation=${channel._id}`)).status).toBe(200);
    expect((await join('stranger', channel)).status).toBe(409);
    expect((await find('stranger', 'old-project')).total).toBe(0);
    expect((await find('stranger', 'old-project', '&archived=true')).data).toMatchObject([{ archived: true }]);
    expect((await restore('member', channel)).body).toMatchObject({ archived: false });
    expect((await post('ben', channel)).status).toBe(201);
  });
});

describe('the preferences of a conversation', () => {
  it('belong to one user, on all devices', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    const socket = await connectChat(service, people.ben);
    const change = (as: As, body: object) => call(as, 'PATCH', `/chat/conversations/${_id}/preferences`, body);
    expect((await change('ben', { notify: 'none', section: ' Projects ' })).body).toEqual({
      notify: 'none',
      starred: false,
      hidden: false,
      section: 'Projects',
    });
    expect((await change('ben', { starred: true })).body).toMatchObject({ notify: 'none', starred: true });
    expect(await socket.receives('conversation:preferences', ({ preferences }) => preferences.starred)).toMatchObject({
      conversation: _id,
      preferences: { notify: 'none' },
    });
    expect((await change('ben', { section: null })).body).toMatchObject({ section: null });
    const { data } = await request<{ data: Conversation[] }>(service, people.ben, ['GET', '/chat/conversations']);
    expect(data.find((conversation) => conversation._id === _id)?.preferences).toMatchObject({ starred: true });
    expect(
      (await request<Conversation>(service, people.member, ['GET', `/chat/conversations/${_id}`])).preferences,
    ).toEqual({
      notify: 'all',
      starred: false,
      hidden: false,
      section: null,
    });
    const unreadOf = async () =>
      await request<{ total: number; muted?: string[]; unread: { conversation: string; count: number }[] }>(
        service,
        people.ben,
        ['GET', '/chat/unread'],
      );
    const before = await unreadOf();
    expect(before.muted).toContain(_id);
    await send(service, people.member, _id);
    const after = await unreadOf();
    expect(after.total).toBe(before.total);
    expect(after.unread.find(({ conversation }) => conversation === _id)?.count).toBeGreaterThan(0);
    await change('ben', { notify: 'mentions' });
    const counted = await unreadOf();
    expect(counted.total).toBeGreaterThan(after.total);
    expect(counted.muted ?? []).not.toContain(_id);
    expect((await change('stranger', { starred: true })).status).toBe(404);
    expect((await change('admin', { starred: true })).status).toBe(404);
  });
});
