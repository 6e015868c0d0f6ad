import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FoundMessage } from '@atrium/proto-events/http/chat/search';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createDirect, createGroup, type People, request, send } from './factories.ts';
import { sendFiles } from './files.ts';
import { call, people, service } from './running-chat.ts';

type As = keyof People;
type Page = { data: FoundMessage[]; total: number; more: boolean; next: string | null };

const pathOf = (q: string, parameters: Record<string, string> = {}) =>
  `/chat/search?${new URLSearchParams({ q, ...parameters })}`;
const search = (as: As, q: string, parameters?: Record<string, string>) =>
  request<Page>(service, people[as], ['GET', pathOf(q, parameters)]);
const find = async (as: As, q: string, parameters?: Record<string, string>) =>
  (await search(as, q, parameters)).data.map(({ message }) => message._id);
const react = (as: As, { _id }: Message) =>
  call(as, 'PUT', `/chat/messages/${_id}/reactions/${encodeURIComponent('👍')}`);

/** Waits until all messages so far have been entered. */
const settle = () =>
  waitFor(async () => (await service.query('select from search_queue limit 1')).length === 0, {
    description: 'the messages to be entered',
  });

let conversation: string;

/** Sends messages by name, in this order, and returns their ids. */
async function sendAll<Name extends string>(contents: Record<Name, string>): Promise<Record<Name, Message>> {
  const sent: [string, Message][] = [];
  for (const [name, content] of Object.entries<string>(contents))
    sent.push([name, await send(service, people.member, conversation, content)]);
  await settle();
  return Object.fromEntries(sent) as Record<Name, Message>;
}

beforeAll(async () => {
  ({ _id: conversation } = await createGroup(service, [people.member, people.ben], 'planning'));
});

describe('a search of messages', () => {
  it('finds words in any order and by prefix, newest first, in the caller’s conversations', async () => {
    const { first, second } = await sendAll({
      first: 'The quarterly Budget',
      second: 'A budget for the last quarter',
      other: 'Lunch',
    });
    const page = await search('ben', 'budg quart');
    expect(page).toMatchObject({ total: 2, more: false, next: null });
    expect(page.data.map(({ message }) => message._id)).toEqual([second._id, first._id]);
    expect(page.data[1]).toMatchObject({
      conversation: { _id: conversation, type: 'group', title: 'planning' },
      snippet: [
        { text: 'The ', match: false },
        { text: 'quarterly', match: true },
        { text: ' ', match: false },
        { text: 'Budget', match: true },
      ],
    });
    expect(page.data[0]?.message.sender.firstName).toBe('Mia');
    expect(await find('stranger', 'budget')).toEqual([]);
    expect(await find('admin', 'budget')).toEqual([]);
  });

  it.each([
    ['Đà Nẵng', 'da nang'],
    ['Die Straße in Łódź', 'STRASSE lodz'],
    ['שָׁלוֹם לכולם', 'שלום'],
    ['全文検索の機能', '検索'],
    ['全文検索の機能', '"検索の機"'],
    ['To be, or not to be at all', '"be or not to be at all"'],
    ['To be, or not to be at all', '"not to be"'],
    ['See https://example.com/roadmap?x=1', 'example.com/road'],
    ['Standup at 10:37', '10:37'],
    ['It costs 40 € or 12%', '€'],
    [`${'x'.repeat(300)} long`, 'xxxxxxxx'],
  ])('finds %j by %j', async (content, query) => {
    const { message } = await sendAll({ message: content });
    expect(await find('ben', query)).toContain(message._id);
  });

  it('finds phrases, and leaves out what is excluded', async () => {
    const { draft, final } = await sendAll({ draft: 'release notes draft', final: 'notes of the release' });
    expect(await find('ben', '"release notes"')).toEqual([draft._id]);
    expect(await find('ben', 'release -draft')).toEqual([final._id]);
    expect(await find('ben', '-"release notes" release')).toEqual([final._id]);
    expect(await find('ben', '"release no"')).toEqual([]);
  });

  it('finds names of files, and messages with files and links', async () => {
    const message = await sendFiles(service, {
      as: people.member,
      fields: { conversation, content: 'Attached' },
      files: [['invoice-2026.pdf', 'text']],
    });
    const { link } = await sendAll({ link: 'invoices: www.example.org' });
    expect(await find('ben', 'invoice')).toEqual([link._id, message._id]);
    expect(await find('ben', 'invoice has:file')).toEqual([message._id]);
    expect(await find('ben', 'invoice has:link')).toEqual([link._id]);
    expect(await find('ben', 'invoice -has:file')).toEqual([link._id]);
    await call('member', 'DELETE', `/chat/messages/${message._id}`);
    expect(await find('ben', 'invoice')).toEqual([link._id]);
  });

  it('filters by sender and conversation', async () => {
    const { _id: other } = await createGroup(service, [people.ben, people.member, people.cleo], 'launch-day');
    const direct = await createDirect(service, people.ben, people.member);
    const here = await send(service, people.member, conversation, 'rocket');
    const there = await send(service, people.ben, other, 'rocket');
    const privately = await send(service, people.member, direct._id, 'rocket');
    await settle();
    expect(await find('ben', 'rocket')).toEqual([privately._id, there._id, here._id]);
    expect(await find('ben', 'rocket from:me')).toEqual([there._id]);
    expect(await find('ben', 'rocket from:@mia')).toEqual([privately._id, here._id]);
    expect(await find('ben', `rocket from:${people.ben._id}`)).toEqual([there._id]);
    expect(await find('ben', 'rocket -from:me')).toEqual([privately._id, here._id]);
    expect(await find('ben', 'rocket from:@nobody')).toEqual([]);
    expect(await find('ben', 'rocket in:#Launch-Day')).toEqual([there._id]);
    expect(await find('ben', 'rocket in:"Launch day"')).toEqual([there._id]);
    expect(await find('ben', `rocket in:${direct._id}`)).toEqual([privately._id]);
    expect(await find('ben', `rocket in:${direct._id} in:launch-day`)).toEqual([privately._id, there._id]);
    expect(await find('ben', `rocket -in:${direct._id}`)).toEqual([there._id, here._id]);
    expect(await find('cleo', `rocket in:${direct._id}`)).toEqual([]);
    expect(await find('cleo', 'rocket in:planning')).toEqual([]);
    expect(await find('ben', 'in:launch-day')).toEqual([there._id]);
  });

  it('filters by date in the time zone of the caller', async () => {
    const { message } = await sendAll({ message: 'midnight' });
    const zone = buildUser({ ...people.ben, timezone: 'Pacific/Auckland', version: 2 });
    service.addToDirectory(zone);
    await service.query("update search_entries set sent_at = '2026-03-01T12:30:00Z' where message_id = $1", [
      message._id,
    ]);
    // 1:30 on the next day in Auckland.
    expect(await find('ben', 'midnight on:2026-03-02')).toEqual([message._id]);
    expect(await find('ben', 'midnight on:2026-03-01')).toEqual([]);
    expect(await find('ben', 'midnight after:2026-03-01')).toEqual([message._id]);
    expect(await find('ben', 'midnight before:2026-03-02')).toEqual([]);
    // On a device in another time zone.
    expect(await find('ben', 'midnight on:2026-03-01', { timezone: 'UTC' })).toEqual([message._id]);
    expect(await find('ben', 'midnight on:2026-03-02', { timezone: 'UTC' })).toEqual([]);
    expect(await find('member', 'midnight on:2026-03-01')).toEqual([message._id]);
    expect(await find('member', 'midnight -on:2026-03-01')).toEqual([]);
  });

  it('filters by what a message has now', async () => {
    const { plain, reacted, pinned, saved, root } = await sendAll({
      plain: 'orbit',
      reacted: 'orbit',
      pinned: 'orbit',
      saved: 'orbit',
      root: 'orbit',
    });
    await react('ben', reacted);
    await call('ben', 'PUT', `/chat/messages/${pinned._id}/pin`);
    await call('ben', 'PUT', `/chat/messages/${saved._id}/saved`);
    const body = { conversation, thread: root._id, content: 'orbit too', alsoInConversation: true };
    const reply = await request<Message>(service, people.ben, ['POST', '/chat/messages', body]);
    await settle();
    expect(await find('member', 'orbit')).toEqual([reply, root, saved, pinned, reacted, plain].map(({ _id }) => _id));
    expect(await find('ben', 'orbit has:reaction')).toEqual([reacted._id]);
    expect(await find('ben', 'orbit is:pinned')).toEqual([pinned._id]);
    expect(await find('ben', 'orbit is:saved')).toEqual([saved._id]);
    expect(await find('member', 'orbit is:saved')).toEqual([]);
    expect(await find('ben', 'orbit is:thread')).toEqual([reply._id, root._id]);
    expect(await find('ben', 'orbit -is:thread -is:saved -has:reaction')).toEqual([pinned._id, plain._id]);
    await call('ben', 'DELETE', `/chat/messages/${pinned._id}/pin`);
    expect(await find('ben', 'orbit is:pinned')).toEqual([]);
    const { data } = await search('member', 'too');
    expect(data[0]).toMatchObject({ message: { thread: { root: root._id } }, conversation: { _id: conversation } });
  });

  it('continues after a page', async () => {
    const contents = Array.from({ length: 7 }, (_, index) => `comet ${index}`);
    const messages: Message[] = [];
    for (const content of contents) messages.push(await send(service, people.member, conversation, content));
    await settle();
    const ids: string[] = [];
    let next: string | null | undefined;
    let pages = 0;
    do {
      const page: Page = await search('ben', 'comet', { limit: '3', ...(next && { before: next }) });
      ids.push(...page.data.map(({ message }) => message._id));
      expect(page.more).toBe(page.next !== null);
      next = page.next;
      pages += 1;
    } while (next !== null);
    expect(pages).toBe(3);
    expect(ids).toEqual(messages.map(({ _id }) => _id).toReversed());
  });

  it.each(['', '   ', '!?', '"…"'])('finds nothing by %j', async (query) => {
    expect(await search('ben', query)).toMatchObject({ data: [], total: 0, more: false, next: null });
  });

  it('rejects invalid requests', async () => {
    for (const query of ['', '?q=a&before=last', `?q=${'a'.repeat(501)}`])
      expect((await call('ben', 'GET', `/chat/search${query}`)).status).toBe(400);
    expect((await service.call('GET', '/chat/search?q=a')).status).toBe(401);
  });
});

describe('what a user cannot see is not found', () => {
  it('after an edit or a deletion, from the same moment', async () => {
    const { edited, deleted } = await sendAll({ edited: 'nebula before', deleted: 'nebula' });
    await call('member', 'PATCH', `/chat/messages/${edited._id}`, { content: 'galaxy after' });
    await call('member', 'DELETE', `/chat/messages/${deleted._id}`);
    expect(await search('ben', 'nebula')).toMatchObject({ data: [], total: 0 });
    await settle();
    expect(await find('ben', 'galaxy')).toEqual([edited._id]);
    expect(await find('ben', 'nebula')).toEqual([]);
    const rows = await service.query('select from search_entries where message_id = $1', [deleted._id]);
    expect(rows).toHaveLength(0);
  });

  it('after leaving or being removed, and in a channel that was deleted', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben, people.cleo], 'secret');
    await send(service, people.member, _id, 'pulsar');
    await settle();
    for (const as of ['member', 'ben', 'cleo'] as const) expect(await find(as, 'pulsar')).toHaveLength(1);
    await call('ben', 'POST', `/chat/conversations/${_id}/leave`);
    await call('member', 'DELETE', `/chat/conversations/${_id}/participants/${people.cleo._id}`);
    for (const as of ['ben', 'cleo', 'stranger', 'admin'] as const)
      for (const query of ['pulsar', 'in:secret', `in:${_id}`, `pulsar from:${people.member._id} in:${_id}`])
        expect(await search(as, query)).toMatchObject({ data: [], total: 0, more: false });
    await call('admin', 'DELETE', `/chat/conversations/${_id}`);
    expect(await find('member', 'pulsar')).toEqual([]);
    await waitFor(
      async () => (await service.query("select from search_entries where search like '% pulsar %'")).length === 0,
      { description: 'the entries to be removed', timeoutMs: 20_000 },
    );
  });

  it('in a public channel before joining it', async () => {
    const body = { type: 'group', title: 'open-space', visibility: 'public', participants: [] };
    const { _id } = await request<{ _id: string }>(service, people.member, ['POST', '/chat/conversations', body]);
    const message = await send(service, people.member, _id, 'quasar');
    await settle();
    expect(await find('ben', 'quasar')).toEqual([]);
    await call('ben', 'POST', `/chat/channels/${_id}/join`);
    expect(await find('ben', 'quasar')).toEqual([message._id]);
  });
});
