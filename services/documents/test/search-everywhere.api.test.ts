import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { searchDocuments } from '@atrium/proto-events/http/search/documents';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { retryWhileBusy } from '@atrium/test-kit/retry-while-busy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments } from './factories.ts';
import { waitUntilIndexed } from './text-search.ts';

let started: Started;

beforeAll(async () => {
  started = await startDocuments();
  const as = started.people.uploader;
  const upload = async (fileName: string, content: string, visibility: string) => {
    const document = await createDocument(started.service, { as, fileName, content, fields: { visibility } });
    await waitUntilIndexed(started, as, document._id);
  };
  await upload('Harbor contract.txt', 'Terms of payment', 'public');
  await upload('Notes.txt', 'The harbor opens in the spring with Łukasz', 'public');
  await upload('Harbor secrets.txt', 'Nothing', 'private');
});
afterAll(() => started.service.close());

async function search(as: DirectoryUser, q: string) {
  const path = `/documents/search?${new URLSearchParams({ q })}`;
  const { status, body } = await retryWhileBusy(() => started.service.call('GET', path, { as }));
  expect(status).toBe(200);
  return body as ResponseOf<typeof searchDocuments>;
}
const mark = (parts: readonly { text: string; match: boolean }[] | null) =>
  parts?.map(({ text, match }) => (match ? `[${text}]` : text)).join('') ?? null;
const summarize = ({ data, total }: ResponseOf<typeof searchDocuments>) => ({
  total,
  found: data.map(({ title, snippet }) => [mark(title), mark(snippet)]),
});

describe('a search of documents', () => {
  it('finds and counts readable documents only, names before texts', async () => {
    expect(summarize(await search(started.people.stranger, 'harbor'))).toEqual({
      total: 2,
      found: [
        ['[Harbor] contract.txt', null],
        ['Notes.txt', 'The [harbor] opens in the spring with Łukasz'],
      ],
    });
    expect((await search(started.people.uploader, 'harbor')).total).toBe(3);
  });

  it('tolerates typos in readable names if nothing matches', async () => {
    expect(summarize(await search(started.people.stranger, 'contarct')).found).toEqual([['Harbor contract.txt', null]]);
    expect(summarize(await search(started.people.stranger, 'secrtes')).found).toEqual([]);
    expect(summarize(await search(started.people.uploader, 'secrtes')).found).toEqual([['Harbor secrets.txt', null]]);
  });

  it('finds those of the operators of a query, by names and by texts', async () => {
    const { stranger, uploader } = started.people;
    const count = async (q: string, as = stranger) => (await search(as, q)).total;
    expect(await count(`harbor from:${uploader._id} after:2020-01-01`)).toBe(2);
    expect(await count('harbor from:me')).toBe(0);
    expect(await count('harbor from:me', uploader)).toBe(3);
    expect(await count(`harbor -from:${uploader._id}`)).toBe(0);
    expect(await count('spring before:2020-01-01')).toBe(0);
    expect(await count(`spring in:${'f'.repeat(24)}`)).toBe(0);
    expect(await count(`spring -in:${'f'.repeat(24)}`)).toBe(1);
    expect(await count('contarct from:me')).toBe(0);
    expect(await count('harbor has:file')).toBe(0);
  });

  it('lists and counts the newest readable ones of operators alone', async () => {
    const { stranger, uploader } = started.people;
    expect(summarize(await search(stranger, `from:${uploader._id} after:2020-01-01`))).toEqual({
      total: 2,
      found: [
        ['Notes.txt', null],
        ['Harbor contract.txt', null],
      ],
    });
    expect(summarize(await search(uploader, 'from:me -contract -spring'))).toEqual({
      total: 1,
      found: [['Harbor secrets.txt', null]],
    });
    for (const q of ['from:me', `-from:${uploader._id}`, 'before:2020-01-01', 'has:file'])
      expect({ q, total: (await search(stranger, q)).total }).toEqual({ q, total: 0 });
  });

  it('does not find what an exclusion matches, in names or texts', async () => {
    expect(summarize(await search(started.people.stranger, 'harbor -lukasz')).found).toEqual([
      ['[Harbor] contract.txt', null],
    ]);
    expect(summarize(await search(started.people.stranger, 'harbor -contract')).found).toEqual([
      ['Notes.txt', 'The [harbor] opens in the spring with Łukasz'],
    ]);
  });
});

it('a search of documents rejects long queries and anonymous callers', async () => {
  const { service, people } = started;
  expect((await service.call('GET', `/documents/search?q=${'x'.repeat(501)}`, { as: people.stranger })).status).toBe(
    400,
  );
  expect((await service.call('GET', '/documents/search?q=x')).status).toBe(401);
});
