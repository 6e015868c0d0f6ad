import type { Attachment, ConversationAttachment } from '@atrium/proto-events/http/chat/attachments';
import type { ConversationLinks, Message } from '@atrium/proto-events/http/chat/messages';
import { describe, expect, it } from '@jest/globals';
import { LIST_ATTACHMENTS_BEFORE } from '../src/model/messages/attachment-repository.ts';
import { downloadText, formFields, group, people, sendWithFiles, service, unique } from './attachments.ts';
import { createGroup, type People, request, send } from './factories.ts';

describe('the files of a conversation', () => {
  const getPage = (query: string) =>
    request<{ data: ConversationAttachment[]; total: number; next: string | null }>(service, people.ben, [
      'GET',
      `/chat/conversations/${group._id}/attachments?${query}`,
    ]);

  it('are listed newest first, page by page', async () => {
    const sentNames: string[] = [];
    for (const [n, size] of [3, 1, 2].entries()) {
      const files = Array.from({ length: size }, (_, at) => [`${n}-${at}.txt`, unique()] as const);
      await sendWithFiles({ files });
      await send(service, people.ben, group._id);
      sentNames.unshift(...files.map(([name]) => name).reverse());
    }
    const names: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const currentPage: Awaited<ReturnType<typeof getPage>> = await getPage(`limit=2${next && `&before=${next}`}`);
      expect(currentPage.total).toBe(6);
      names.push(...currentPage.data.map(({ name }) => name));
      next = currentPage.next;
    }
    expect(names).toEqual(sentNames);
    expect(await downloadText((await getPage('limit=1')).data[0] as Attachment)).toMatch(/^Hello /);
    const invalidPath = `/chat/conversations/${group._id}/attachments?before=yesterday`;
    expect(await service.call('GET', invalidPath, { as: people.ben })).toMatchObject({ status: 400 });
  });

  it('are listed separately from its links, which omit edited and deleted messages', async () => {
    const listLinks = async (query = '', as = people.ben) =>
      request<{ data: ConversationLinks[]; next: string | null }>(service, as, [
        'GET',
        `/chat/conversations/${group._id}/links?${query}`,
      ]);
    const sendText = (content: string) => send(service, people.ben, group._id, content);
    const firstMessage = await sendText(
      'See https://example.org/plan. And (HTTPS://example.org/b?c=1#d), or https://example.org/plan!',
    );
    await sendText('No web address: ftp://example.org, http:// and www. and lena@example.org');
    const secondMessage = await sendText('www.example.com, http://example.com');
    const thirdMessage = await sendText('Ours: https://example.net/a_(b)');
    const allLinks = await listLinks();
    expect(allLinks.data.map(({ message, links: urls }) => [message, urls])).toEqual([
      [thirdMessage._id, ['https://example.net/a_(b)']],
      [secondMessage._id, ['http://www.example.com', 'http://example.com']],
      [firstMessage._id, ['https://example.org/plan', 'HTTPS://example.org/b?c=1#d']],
    ]);
    expect(allLinks.data[0]).toMatchObject({
      conversation: group._id,
      seq: thirdMessage.seq,
      sender: { _id: people.ben._id },
    });
    const firstPage = await listLinks('limit=1');
    expect(firstPage).toMatchObject({ data: [{ message: thirdMessage._id }], next: expect.any(String) });
    expect(await listLinks(`limit=2&before=${firstPage.next}`)).toMatchObject({
      data: [{ message: secondMessage._id }, { message: firstMessage._id }],
      next: null,
    });
    await request(service, people.ben, ['PATCH', `/chat/messages/${thirdMessage._id}`, { content: 'Nothing' }]);
    await request(service, people.ben, ['DELETE', `/chat/messages/${secondMessage._id}`]);
    expect((await listLinks()).data.map(({ message }) => message)).toEqual([firstMessage._id]);
    const path = `/chat/conversations/${group._id}/links`;
    expect(await service.call('GET', path, { as: people.stranger })).toMatchObject({ status: 404 });
    expect(await service.call('GET', `${path}?before=yesterday`, { as: people.ben })).toMatchObject({ status: 400 });
    expect(await service.call('GET', path)).toMatchObject({ status: 401 });
  });

  it('are read by an index, even if there are many', async () => {
    await service.query(
      `with m as (
         insert into messages (conversation_id, seq, message_id, sender_id, content, type)
         select $1, n, lpad(to_hex(n), 24, '0'), $2, 'https://example.org', 'text' from generate_series(1000, 10999) n
         returning seq
       ) update conversations set last_seq = 10999 where conversation_id = $1`,
      [group._id, people.member._id],
    );
    await service.query(
      `insert into attachments (conversation_id, seq, position, attachment_id, name, extension, size, mimetype, sha256, object_key, uploader_id)
       select $1, seq, 0, message_id, 'a.txt', 'txt', 1, 'text/plain', 'x', 'chat/none/' || seq, $2 from messages
       where conversation_id = $1`,
      [group._id, people.member._id],
    );
    await service.query('analyze attachments');
    const first = await getPage('limit=1');
    expect(first).toMatchObject({ total: 10_000, data: [{ seq: 10_999 }] });
    expect(await getPage(`limit=2&before=${first.next}`)).toMatchObject({ data: [{ seq: 10_998 }, { seq: 10_997 }] });
    const [time, position, id] = first.next?.split('.') ?? [];
    const values = { $1: `'${group._id}'`, $2: time, $3: position, $4: `'${id}'`, $5: '50' } as Record<string, string>;
    const plan = await service.query(
      `explain (format json) ${LIST_ATTACHMENTS_BEFORE.replace(/\$\d/g, (name) => values[name] ?? name)}`,
    );
    expect(JSON.stringify(plan)).toContain('attachments_listed');
    expect(JSON.stringify(plan)).not.toMatch(/Seq Scan[^}]*"Relation Name":"attachments"/);
  });
});

describe('the files and links of replies', () => {
  const text = 'See https://example.org';
  const reply = (as: People['ben'], thread: string, overrides: Record<string, string> = {}) =>
    sendWithFiles({ as, fields: formFields({ content: text, thread, ...overrides }) });
  const list = async (name: 'attachments' | 'links', query = '') =>
    await request<{ data: { message: string; thread: string | null; seq: number }[]; next: string | null }>(
      service,
      people.ben,
      ['GET', `/chat/conversations/${group._id}/${name}?${query}`],
    );
  const place = ({ message, thread, seq }: { message: string; thread: string | null; seq: number }) => ({
    message,
    thread,
    seq,
  });
  const placeOf = ({ _id, thread, seq }: Message) => ({ message: _id, thread: thread?.root ?? null, seq });

  it.each(['attachments', 'links'] as const)(
    'are among the %s of their conversation, once each and with their threads',
    async (name) => {
      const root = await sendWithFiles({ fields: formFields({ content: text }) });
      const first = await reply(people.ben, root._id);
      const later = await sendWithFiles({ fields: formFields({ content: text }) });
      const copied = await reply(people.member, root._id, { alsoInConversation: 'true' });
      const expected = [copied, later, first, { ...root, thread: null }].map(placeOf);
      expect((await list(name)).data.map(place)).toEqual(expected);
      const firstPage = await list(name, 'limit=3');
      expect(firstPage.data.map(place)).toEqual(expected.slice(0, 3));
      expect((await list(name, `before=${firstPage.next}`)).data.map(place)).toEqual(expected.slice(3));
      for (const { _id } of [copied, first]) await request(service, people.admin, ['DELETE', `/chat/messages/${_id}`]);
      expect((await list(name)).data.map(place)).toEqual([expected[1], expected[3]]);
    },
  );

  it('are counted, and are found by participants only', async () => {
    const root = await send(service, people.ben, group._id);
    const sent = await reply(people.ben, root._id, { alsoInConversation: 'true' });
    expect(await list('attachments')).toMatchObject({ total: 1 });
    const path = `/chat/attachments/${sent.attachments?.[0]?._id}`;
    expect(await request(service, people.member, ['GET', path])).toMatchObject({
      conversation: group._id,
      message: sent._id,
      thread: root._id,
      seq: 1,
    });
    const { _id } = await createGroup(service, [people.cleo]);
    expect((await service.call('GET', path, { as: people.cleo })).status).toBe(404);
    for (const name of ['attachments', 'links']) {
      const own = await request(service, people.cleo, ['GET', `/chat/conversations/${_id}/${name}`]);
      expect(own).toMatchObject({ data: [] });
      for (const conversation of [group._id, root._id])
        expect(
          (await service.call('GET', `/chat/conversations/${conversation}/${name}`, { as: people.cleo })).status,
        ).toBe(404);
    }
    expect((await service.call('GET', `/chat/conversations/${root._id}/attachments`, { as: people.ben })).status).toBe(
      404,
    );
  });
});
