import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import type { SharedConversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { JOIN_PREVIEW_SIZE, MAX_PRESENCE_SUBSCRIPTIONS } from '@atrium/proto-events/realtime';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { MOST_REFUSED } from '../src/sockets/handshake-limiter.ts';
import { aGroup, ask, type People, send } from './factories.ts';
import { people, service } from './running-chat.ts';
import { aChatter, aSocket, connected, rawSocket, refusal, say } from './sockets.ts';

const chatter = (as: keyof People) => aChatter(service, people[as]);
const call = (as: keyof People, method: string, path: string, body?: unknown) =>
  service.call(method, path, { as: people[as], body });

describe('connecting', () => {
  it.each(['/chat', '/live'])('to %s needs a valid access token', async (namespace) => {
    const expired = await aSocket(service, namespace, people.member, { issuedAt: Date.now() - 3_600_000 });
    expect(await refusal(expired)).toBe('Authentication error');
    expect(await refusal(rawSocket(service.url, namespace, {}))).toBe('Authentication error');
    expect(await refusal(rawSocket(service.url, namespace, { auth: { token: 'x' } }))).toBe('Authentication error');
    expect(await refusal(await aSocket(service, namespace, people.inactive))).toBe('Authentication error');
    expect(await refusal(await aSocket(service, namespace, people.member))).toBe('connected');
  });

  it('to the root namespace is for nobody', async () => {
    expect(await refusal(await aSocket(service, '/', people.admin))).toBe('Authentication error');
  });

  it.each(['/chat', '/'])('with one forged token after the other to %s ends with the tenth', async (namespace) => {
    const bare = new WebSocket(`${service.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    let refused = 0;
    let tried = 0;
    const tryAgain = () => {
      tried += 1;
      bare.send(`40${namespace === '/' ? '' : `${namespace},`}{"token":"forged ${tried}"}`);
    };
    bare.addEventListener('open', tryAgain);
    bare.addEventListener('message', ({ data }) => {
      if (!String(data).startsWith('44')) return;
      refused += 1;
      tryAgain();
    });
    await once(bare, 'close');
    expect(refused).toBe(MOST_REFUSED);
  });

  it('works by WebSocket only', async () => {
    const polling = rawSocket(service.url, '/chat', { transports: ['polling'], reconnection: false });
    expect(await refusal(polling)).toBe('xhr poll error');
  });
});

describe('a message', () => {
  it('reaches all participants without joining, the sender’s other sockets too, the sending one by its acknowledgement', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const [sender, phone, ben, stranger] = await Promise.all([
      chatter('member'),
      chatter('member'),
      chatter('ben'),
      chatter('stranger'),
    ]);
    const clientMessageId = randomUUID();
    const answer = await sender.says('message:send', { conversationId: _id, content: 'Hello', clientMessageId });
    expect(answer).toMatchObject({ ok: true, data: { seq: 1, content: 'Hello', clientMessageId, type: 'text' } });
    const again = await sender.says('message:send', { conversation: _id, content: 'Hello', clientMessageId });
    expect(again).toEqual(answer);
    const overHttp = await send(service, people.member, _id, 'by HTTP');
    for (const one of [phone, ben]) {
      // One copy for all: without what one person may do with it.
      const { abilities, ...toldToAll } = overHttp;
      expect(abilities).toEqual({ edit: true, delete: true });
      expect(await one.hears('message:new', ({ message }) => message.seq === 2)).toEqual({ message: toldToAll });
      expect(one.all('message:new').map(({ message }) => message.seq)).toEqual([1, 2]);
    }
    await sender.hears('message:new', ({ message }) => message.seq === 2);
    expect(sender.all('message:new')).toHaveLength(1);
    expect(stranger.all('message:new')).toEqual([]);
  });

  it('is caught up with by seq after a lost connection: each once, in order', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const ben = await chatter('ben');
    await send(service, people.member, _id, '1');
    const { message: last } = await ben.hears('message:new');
    ben.socket.io.engine.close();
    await waitFor(() => ben.socket.disconnected, { what: 'the connection to be lost' });
    for (let at = 2; at <= 11; at += 1) await send(service, people.member, _id, String(at));
    await connected(ben.socket);
    const { data } = await ask<{ data: Message[] }>(service, people.ben, [
      'GET',
      `/chat/messages?conversation=${_id}&after=${last.seq}&limit=100`,
    ]);
    expect(data.map(({ content }) => content)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
    await send(service, people.member, _id, '12');
    await ben.hears('message:new', ({ message }) => message.content === '12');
  });

  it('arrives once each, however many are sent at once', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const ben = await chatter('ben');
    await Promise.all(Array.from({ length: 100 }, () => send(service, people.member, _id)));
    await waitFor(() => ben.all('message:new').length === 100, { what: 'all to be heard' });
    expect(new Set(ben.all('message:new').map(({ message }) => message.seq)).size).toBe(100);
    expect(ben.all('message:new').every(({ message }) => message.attachments.length === 0)).toBe(true);
  });

  it('tells when it was edited and deleted', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const ben = await chatter('ben');
    const sent = await send(service, people.member, _id, 'teh');
    await call('member', 'PATCH', `/chat/messages/${sent._id}`, { content: 'the' });
    expect(await ben.hears('message:updated')).toMatchObject({ message: { _id: sent._id, content: 'the', seq: 1 } });
    await call('member', 'DELETE', `/chat/messages/${sent._id}`);
    expect(await ben.hears('message:deleted')).toEqual({
      conversation: _id,
      message: sent._id,
      seq: 1,
      revision: 2,
    });
  });
});

describe('every event', () => {
  it('is acknowledged, with a sentence where it is refused', async () => {
    const group = await aGroup(service, [people.member]);
    const { socket, says } = await chatter('stranger');
    const refused = (code: string, message?: string) => ({
      ok: false,
      error: { code, message: message ?? expect.any(String) },
    });
    const content = 'x';
    expect(await says('message:send', { conversation: group._id, content })).toEqual(
      refused('not_found', 'Conversation not found'),
    );
    expect(await says('message:send', { conversation: group._id, content: ' ' })).toEqual(
      refused('validation_failed', 'Message cannot be empty'),
    );
    expect(await says('message:send', { content })).toEqual(refused('validation_failed', 'A conversation is required'));
    for (const event of ['message:read', 'typing:start', 'typing:stop', 'conversation:join', 'conversation:leave']) {
      expect(await say(socket, event, { conversationId: group._id })).toEqual(refused('not_found'));
      expect(await say(socket, event, { conversationId: 'nonsense' })).toEqual(refused('validation_failed'));
    }
    for (const payload of [[], ['text'], [null], [7], [['list']], [{ conversation: {} }]]) {
      expect(await say(socket, 'message:send', ...payload)).toEqual(refused('validation_failed'));
    }
    const deep: unknown = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`);
    expect(await say(socket, 'message:send', { conversation: group._id, content, deep })).toEqual(
      refused('validation_failed', 'The request must have at most 64 levels of objects and lists'),
    );
    for (const event of ['nonsense', 'constructor', 'hasOwnProperty', '__proto__']) {
      expect(await say(socket, event, {})).toEqual(refused('not_found', 'There is no such event'));
    }
    expect(await says('user:presence', { status: 'away' })).toEqual({ ok: true, data: null });
  });

  it('says which conversation is open and gets it as it is now, with the first of its people and their number', async () => {
    const others = Array.from({ length: 10 }, () => buildUser());
    service.know(...others);
    const { _id } = await aGroup(service, [people.member, people.ben, ...others]);
    await send(service, people.member, _id);
    const { says } = await chatter('ben');
    const answer = await says('conversation:join', { conversation: _id });
    expect(answer).toMatchObject({
      ok: true,
      data: { _id, unreadCount: 1, lastMessage: { seq: 1 }, participantCount: 12 },
    });
    const first = answer.ok ? answer.data.participants.map((person) => Object.keys(person).sort()) : [];
    expect(first).toEqual(Array(JOIN_PREVIEW_SIZE).fill(['_id', 'avatar', 'firstName', 'lastName']));
    expect(await says('conversation:leave', { conversation: _id })).toEqual({ ok: true, data: null });
  });

  it('may make a conversation, as over HTTP', async () => {
    const { says } = await chatter('ben');
    const made = await says('conversation:create', { type: 'direct', participants: [people.cleo._id] });
    expect(made).toMatchObject({ ok: true, data: { type: 'direct', lastSeq: 0 } });
    expect(await says('conversation:create', { type: 'direct', participants: [people.cleo._id] })).toEqual(made);
    expect(await says('conversation:create', { type: 'group', title: '' })).toEqual({
      ok: false,
      error: { code: 'validation_failed', message: 'Channel name is required' },
    });
  });

  it('beyond what one person may send is refused, and costs nobody else anything', async () => {
    const { socket } = await chatter('cleo');
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => say(socket, 'user:presence', { status: 'online' })),
    );
    expect(answers.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(60);
    expect(answers.at(-1)).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    const other = await chatter('ben');
    expect(await other.says('user:presence', { status: 'online' })).toEqual({ ok: true, data: null });
  });
});

describe('reading', () => {
  it('moves one watermark on all devices and shows the others', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    for (const content of ['1', '2', '3']) await send(service, people.member, _id, content);
    const [laptop, phone, member] = await Promise.all([chatter('ben'), chatter('ben'), chatter('member')]);
    const { data } = await ask<{ data: Message[] }>(service, people.ben, ['GET', `/chat/messages?conversation=${_id}`]);
    const second = data[1]?._id ?? '';
    expect(await laptop.says('message:read', { conversation: _id, message: second })).toEqual({
      ok: true,
      data: { updatedCount: 2, seq: 2 },
    });
    for (const one of [laptop, phone, member]) {
      expect(await one.hears('message:read')).toEqual({ conversation: _id, user: people.ben._id, seq: 2 });
    }
    await laptop.says('message:read', { conversation: _id, seq: 1 });
    expect(await laptop.says('message:read', { conversation: _id })).toEqual({
      ok: true,
      data: { updatedCount: 1, seq: 3 },
    });
    await phone.hears('message:read', ({ seq }) => seq === 3);
    expect(phone.all('message:read').map(({ seq }) => seq)).toEqual([2, 3]);
    const other = await aGroup(service, [people.ben]);
    expect(await laptop.says('message:read', { conversation: other._id, message: second })).toMatchObject({
      ok: false,
    });
  });
});

describe('a conversation of many', () => {
  it('is broadcast with six participants and their number, and without what is each reader’s own', async () => {
    const others = Array.from({ length: 20 }, () => buildUser());
    service.know(...others);
    const ben = await chatter('ben');
    const made = await aGroup(service, [people.member, people.ben, ...others], 'crowded');
    const isIt = ({ conversation }: { conversation: SharedConversation }) => conversation._id === made._id;
    const { conversation } = await ben.hears('conversation:new', isIt);
    expect(conversation).toMatchObject({ participantCount: 22, unreadCount: 0, abilities: { leave: true } });
    expect(conversation.participants).toHaveLength(6);
    await call('member', 'PATCH', `/chat/conversations/${made._id}`, { title: 'still-crowded' });
    const renamed = await ben.hears('conversation:updated', isIt);
    expect(renamed.conversation).toMatchObject({ title: 'still-crowded', participantCount: 22 });
    expect(renamed.conversation.participants).toHaveLength(6);
    for (const own of ['abilities', 'unreadCount', 'lastReadSeq']) expect(renamed.conversation).not.toHaveProperty(own);
    expect(renamed.personal).toBeUndefined();
  });
});

describe('typing', () => {
  it('is shown to the other participants, not too often, and ends with the connection', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben]);
    const [member, again, ben, stranger] = await Promise.all([
      chatter('member'),
      chatter('member'),
      chatter('ben'),
      chatter('stranger'),
    ]);
    for (let at = 0; at < 5; at += 1) await member.says('typing:start', { conversationId: _id });
    const { _id: user, firstName } = people.member;
    expect(await ben.hears('typing:start')).toEqual({ conversation: _id, user, firstName });
    await member.says('typing:stop', { conversationId: _id });
    await ben.hears('typing:stop');
    await member.says('typing:start', { conversationId: _id });
    member.socket.disconnect();
    await waitFor(() => ben.all('typing:stop').length === 2, { what: 'typing to end' });
    expect(ben.all('typing:start')).toHaveLength(2);
    expect([...again.all('typing:start'), ...stranger.all('typing:start')]).toEqual([]);
  });
});

describe('a conversation', () => {
  it('appears, changes and disappears for its people, who hear it from the first moment to the last', async () => {
    const [member, ben, cleo, admin] = await Promise.all([
      chatter('member'),
      chatter('ben'),
      chatter('cleo'),
      chatter('admin'),
    ]);
    const made = await aGroup(service, [people.member, people.ben], 'lifecycle');
    const isIt = ({ conversation }: { conversation: SharedConversation }) => conversation._id === made._id;
    const path = `/chat/conversations/${made._id}`;
    expect((await member.hears('conversation:new', isIt)).conversation.abilities.rename).toBe(true);
    expect((await ben.hears('conversation:new', isIt)).conversation.abilities.rename).toBe(false);
    await send(service, people.member, made._id, 'first');
    await ben.hears('message:new', ({ message }) => message.conversation === made._id);

    await call('member', 'PATCH', path, { title: 'renamed' });
    const renamed = await ben.hears('conversation:updated', isIt);
    expect(renamed.conversation).toMatchObject({ title: 'renamed', lastSeq: 1 });

    await call('member', 'POST', `${path}/participants`, { userId: people.cleo._id });
    expect((await cleo.hears('conversation:new', isIt)).conversation).toMatchObject({ unreadCount: 0, lastSeq: 1 });
    expect(await ben.hears('conversation:participant_added')).toMatchObject({
      conversation: made._id,
      addedUserId: people.cleo._id,
      user: { firstName: 'Cleo' },
    });
    await send(service, people.member, made._id, 'second');
    await cleo.hears('message:new', ({ message }) => message.content === 'second');
    expect(cleo.all('conversation:participant_added')).toEqual([]);

    await call('member', 'DELETE', `${path}/participants/${people.ben._id}`);
    for (const one of [ben, cleo, member]) {
      expect(await one.hears('conversation:participant_removed')).toMatchObject({
        conversation: made._id,
        removedUserId: people.ben._id,
        user: { firstName: 'Ben' },
      });
    }
    await send(service, people.member, made._id, 'third');
    await cleo.hears('message:new', ({ message }) => message.content === 'third');
    expect(ben.all('message:new').filter(({ message }) => message.content === 'third')).toEqual([]);

    await call('admin', 'DELETE', path);
    expect(await cleo.hears('conversation:deleted')).toEqual({ conversation: made._id });
    expect(ben.all('conversation:deleted')).toEqual([]);
    expect(admin.all('conversation:new').filter(isIt)).toEqual([]);
  });
});

const showing = async (who: keyof typeof people, ...shown: string[]) => {
  const one = await aChatter(service, people[who]);
  return { ...one, answer: await one.says('presence:subscribe', { users: shown }) };
};

describe('presence', () => {
  it('is having a socket, and survives a reload', async () => {
    const member = await showing('member', people.manager._id);
    const first = await chatter('manager');
    await member.hears('user:online', ({ user }) => user === people.manager._id);
    const { answer } = await showing('ben', people.member._id, people.manager._id, people.ben._id);
    expect(answer).toMatchObject({
      data: { online: expect.arrayContaining([people.member._id, people.manager._id, people.ben._id]) },
    });
    first.socket.disconnect();
    const second = await chatter('manager');
    second.socket.disconnect();
    const { lastSeen } = await member.hears('user:offline', ({ user }) => user === people.manager._id);
    expect(Math.abs(Date.now() - Date.parse(lastSeen))).toBeLessThan(10_000);
    expect(member.all('user:online').filter(({ user }) => user === people.manager._id)).toHaveLength(1);
  });

  const newsOf = ({ all }: Pick<Awaited<ReturnType<typeof aChatter>>, 'all'>, user: string) =>
    [...all('user:online'), ...all('user:offline')].filter((one) => one.user === user).length;

  it('goes to those who show the person, and to nobody else', async () => {
    const showsNobody = await chatter('cleo');
    const shows = await showing('ben', people.manager._id, people.manager._id, newId());
    const showsOthers = await showing('member', people.ben._id);
    expect(shows.answer).toEqual({ ok: true, data: { online: [] } });
    expect(showsOthers.answer).toEqual({ ok: true, data: { online: [people.ben._id] } });
    const manager = await chatter('manager');
    await shows.hears('user:online', ({ user }) => user === people.manager._id);
    manager.socket.disconnect();
    await shows.hears('user:offline', ({ user }) => user === people.manager._id);
    expect([shows, showsNobody].map((one) => newsOf(one, people.manager._id))).toEqual([2, 0]);
    expect(showsOthers.all('user:online')).toEqual([]);
  });

  it('is told of whom the socket named last', async () => {
    const ben = await showing('ben', people.manager._id);
    expect(await ben.says('presence:subscribe', { users: [people.stranger._id] })).toMatchObject({ ok: true });
    const manager = await chatter('manager');
    await chatter('stranger');
    await ben.hears('user:online', ({ user }) => user === people.stranger._id);
    expect(newsOf(ben, people.manager._id)).toBe(0);
    expect(await ben.says('presence:subscribe', { users: [people.manager._id, people.ben._id] })).toEqual({
      ok: true,
      data: { online: expect.arrayContaining([people.manager._id, people.ben._id]) },
    });
    expect(await ben.says('presence:subscribe', { users: [] })).toEqual({ ok: true, data: { online: [] } });
    manager.socket.disconnect();
    const watcher = await showing('member', people.manager._id);
    await watcher.hears('user:offline', ({ user }) => user === people.manager._id);
    expect(newsOf(ben, people.manager._id)).toBe(0);
  });

  it('of too many at once is refused, and of what is no person', async () => {
    const ben = await chatter('ben');
    for (const users of [Array.from({ length: MAX_PRESENCE_SUBSCRIPTIONS + 1 }, newId), ['nobody'], [null]]) {
      expect(await say(ben.socket, 'presence:subscribe', { users })).toMatchObject({
        ok: false,
        error: { code: 'validation_failed' },
      });
    }
  });

  it('costs a frame for each socket that shows the person, however many others there are', async () => {
    const others = await Promise.all(Array.from({ length: 10 }, () => showing('ben', people.cleo._id)));
    const shows = await showing('member', people.manager._id);
    await chatter('manager');
    await shows.hears('user:online', ({ user }) => user === people.manager._id);
    expect(others.map((one) => newsOf(one, people.manager._id))).toEqual(others.map(() => 0));
  });
});

describe('the end of a session', () => {
  const SOON = { what: 'the socket to be closed' };
  const closedByServer = (socket: Socket) => {
    let reason: string | undefined;
    socket.on('disconnect', (why) => {
      reason = why;
    });
    return () => reason === 'io server disconnect';
  };

  it('closes its sockets on both namespaces, and no others', async () => {
    const sessionId = newId();
    const ended = await Promise.all(
      ['/chat', '/live'].map((namespace) => aSocket(service, namespace, people.member, { sessionId })),
    );
    const other = await aSocket(service, '/chat', people.member);
    await Promise.all([...ended, other].map(connected));
    const closed = ended.map(closedByServer);
    await service.deliver(sessionRevoked, { userId: people.member._id, sessionId, reason: 'logout' }, 2);
    await waitFor(() => closed.every((is) => is()), SOON);
    expect(other.connected).toBe(true);
    expect(await refusal(await aSocket(service, '/chat', people.member, { sessionId }))).toBe('Authentication error');
  });

  it('by deactivation, deletion or a new password closes all of that person’s, except what was opened since', async () => {
    const { ben } = people;
    const socket = await aSocket(service, '/chat', ben, { issuedAt: Date.now() - 60_000 });
    const fresh = await aSocket(service, '/chat', ben);
    await Promise.all([socket, fresh].map(connected));
    const closed = closedByServer(socket);
    service.know({ ...ben, sessionsValidAfter: Date.now() - 30_000, version: 2 });
    await waitFor(closed, SOON);
    expect(fresh.connected).toBe(true);
    const all = closedByServer(fresh);
    service.know({ ...ben, status: 'inactive', version: 3 });
    await waitFor(all, SOON);
    service.know({ ...ben, version: 4 });
  });
});

describe('a client that does not keep up', () => {
  it('is cut off before what waits for it fills the server, and nobody else waits', async () => {
    const { _id } = await aGroup(service, [people.member, people.ben, people.cleo]);
    const [slow, quick] = await Promise.all([chatter('ben'), showing('cleo', people.ben._id)]);
    const { transport } = slow.socket.io.engine as unknown as { transport: { ws: { pause(): void; resume(): void } } };
    // The client may notice first, and then lets go of it.
    const { ws } = transport;
    ws.pause();
    const body = { conversation: _id, content: '語'.repeat(10_000) };
    const isCutOff = () => quick.all('user:offline').some(({ user }) => user === people.ben._id);
    while (!isCutOff()) {
      await Promise.all(Array.from({ length: 20 }, () => call('member', 'POST', '/chat/messages', body)));
    }
    ws.resume();
    await waitFor(() => slow.socket.disconnected, { what: 'the slow client to be cut off' });
    expect(quick.socket.connected).toBe(true);
    expect(quick.all('message:new').length).toBeGreaterThan(100);
  });
});
