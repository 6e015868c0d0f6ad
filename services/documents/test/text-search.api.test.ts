import { randomBytes } from 'node:crypto';
import { queryDatabase } from '@atrium/test-kit/query-database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, type Started, startDocuments } from './factories.ts';
import { makeBomb } from './files/make-hostile.ts';
import { makeDocx, makePptx, makeXlsx } from './files/make-office.ts';
import { makeOdp, makeOds, makeOdt } from './files/make-open-document.ts';
import { LOCKED, makePdf } from './files/make-pdf.ts';
import {
  addVersion,
  createIndexedDocument,
  idsOf,
  readTextState,
  searchDocuments,
  waitUntilIndexed,
} from './text-search.ts';

let started: Started;
beforeAll(async () => {
  started = await startDocuments();
});
afterAll(() => started.service.close());

const MIB = 1024 * 1024;
const uploader = () => started.people.uploader;
const bytes = (file: Buffer) => new Uint8Array(file);
const buildWord = () => `w${randomBytes(8).toString('hex')}`;

describe('text search', () => {
  const textWith = (word: string) => `Before it Grüße aus ${word}erei and behind it`;
  const slides = (text: string) => [{ text, notes: 'Say it' }];
  it.each<[string, (text: string) => Promise<Buffer> | Buffer]>([
    ['notes.txt', (text) => Buffer.from(text)],
    ['notes.md', (text) => Buffer.from(`# Notes\n\n- ${text}\n`)],
    ['table.csv', (text) => Buffer.from(`number;words\n1;${text}\n2;others\n`)],
    ['page.html', (text) => Buffer.from(`<!doctype html><title>Page</title><p>${text} <b>&amp;</b>`)],
    ['paper.pdf', (text) => makePdf([['The first page'], [text]])],
    ['letter.docx', (text) => makeDocx(['Dear all,', text])],
    ['letter.odt', (text) => makeOdt(['Dear all,', text])],
    ['slides.pptx', (text) => makePptx(slides(text))],
    ['slides.odp', (text) => makeOdp(slides(text))],
    ['sheet.xlsx', (text) => makeXlsx('Sheet', [['A', text]])],
    ['sheet.ods', (text) => makeOds([['A', text]])],
  ])('finds %s by a word or prefix, with or without accents, with marks in the excerpt', async (fileName, make) => {
    const word = buildWord();
    const content = bytes(await make(textWith(word)));
    const { _id, text } = await createIndexedDocument(started, { as: uploader(), fileName, content });
    expect(text).toBe('done');
    for (const search of [
      `${word}erei`,
      word,
      word.slice(0, 8),
      `grusse ${word.toUpperCase()}`,
      `aus before ${word}`,
    ]) {
      const page = await searchDocuments(started, uploader(), search);
      expect({ search, ids: idsOf(page), total: page.total }).toEqual({ search, ids: [_id], total: 1 });
      const { snippet } = page.data[0] ?? {};
      const marked = snippet?.marks.map(({ start, end }) => snippet.text.slice(start, end)) ?? [];
      const searchTerms = search.split(' ').map((term) => term.toLowerCase());
      expect(marked.map((term) => term.toLowerCase().replace('üß', 'uss')).sort()).toEqual(searchTerms.sort());
      expect(snippet?.text).toContain(`aus ${word}erei and`);
    }
    expect((await searchDocuments(started, uploader(), `${word}x`)).total).toBe(0);
    expect((await searchDocuments(started, uploader(), `${word} nowhere`)).total).toBe(0);
    // Prefixes only; substrings match names.
    expect((await searchDocuments(started, uploader(), word.slice(1))).total).toBe(0);
  });

  it('finds text in a legacy encoding regardless of its first letters, and displays and downloads it unchanged', async () => {
    const word = buildWord();
    const text = `BMW ${word} and more words of the invoice`;
    const utf16 = Buffer.from(text, 'utf16le');
    const legacy = Buffer.from(`BMW ${word}: R\u00fcckgabe der Schl\u00fcssel f\u00fcr das Geb\u00e4ude`, 'latin1');
    const utf32 = Buffer.from(Uint32Array.from([...`\ufeff${text}`], (char) => char.codePointAt(0) ?? 0).buffer);
    const ids: string[] = [];
    for (const [content, charset] of [
      [Buffer.from(text), 'utf-8'],
      [Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'utf-16le'],
      [Buffer.from(utf16).swap16(), 'utf-16be'],
      [legacy, 'windows-1252'],
      [utf32, 'utf-32le'],
      [Buffer.concat([Buffer.from('Nothing but ASCII.\n'.repeat(5_000)), legacy]), 'windows-1252'],
    ] as const) {
      const mimetype = `text/plain; charset=${charset}`;
      const read = await createIndexedDocument(started, {
        as: uploader(),
        content: bytes(content),
        fileName: `${charset}.txt`,
      });
      expect(read).toMatchObject({ mimetype, text: 'done' });
      expect((await fetch(read.downloadUrl ?? '')).headers.get('content-type')).toBe(mimetype);
      const { body } = await started.service.call('GET', `/documents/${read._id}/preview`, { as: uploader() });
      expect(body).toMatchObject({ state: 'ready', mimetype });
      ids.push(read._id);
    }
    expect(idsOf(await searchDocuments(started, uploader(), word)).sort()).toEqual(ids.sort());
    expect((await searchDocuments(started, uploader(), `${word} schlussel`)).total).toBe(2);
  });

  it('finds words with joiners, in name and text, with and without the joiners', async () => {
    const joined = 'می\u200cخواهم گزارش\u200cها';
    const plain = 'میخواهم گزارشها';
    const namedDocument = await createDocument(started.service, { as: uploader(), fileName: `${joined}.txt` });
    expect(namedDocument.name).toBe(`${joined}.txt`);
    const written = await createIndexedDocument(started, {
      as: uploader(),
      fileName: 'letter.txt',
      content: `نامه: ${joined}`,
    });
    for (const search of [joined, plain])
      expect(idsOf(await searchDocuments(started, uploader(), search)).sort()).toEqual(
        [namedDocument._id, written._id].sort(),
      );
  });

  it('finds text in a script without spaces by any of its words', async () => {
    const content = '会議は来週の月曜日に東京で行われます';
    const { _id } = await createIndexedDocument(started, { as: uploader(), content });
    for (const search of ['会議', '東京', '月曜日', '京']) {
      expect(idsOf(await searchDocuments(started, uploader(), search))).toEqual([_id]);
    }
    expect((await searchDocuments(started, uploader(), '京東')).total).toBe(0);
  });

  it('finds long text up to its end, with an excerpt for matches in its first forty pages', async () => {
    const near = buildWord();
    const far = buildWord();
    const others = 'many other words '.repeat(5_000);
    const content = `${others}${near} ${'and more of them '.repeat(20_000)}${far}`;
    const { _id } = await createIndexedDocument(started, { as: uploader(), content });
    const { data } = await searchDocuments(started, uploader(), near);
    expect(data.map((row) => row._id)).toEqual([_id]);
    expect(data[0]?.snippet?.text).toMatch(new RegExp(`^… .*other words ${near} and more of them .* …$`));
    expect(data[0]?.snippet?.text.length).toBeLessThan(300);
    const farMatches = await searchDocuments(started, uploader(), far);
    expect(farMatches.data.map((row) => [row._id, row.snippet])).toEqual([[_id, undefined]]);
  });

  it('finds the text of the current version only', async () => {
    const first = buildWord();
    const second = buildWord();
    const { _id } = await createIndexedDocument(started, { as: uploader(), content: `the first ${first}` });
    await addVersion(started, uploader(), _id, `the second ${second}`);
    expect((await searchDocuments(started, uploader(), first)).total).toBe(0);
    expect(await waitUntilIndexed(started, uploader(), _id)).toBe('done');
    expect(idsOf(await searchDocuments(started, uploader(), second))).toEqual([_id]);
    const { service } = started;
    const restored = await service.call('POST', `/documents/${_id}/versions/1/restore`, { as: uploader() });
    expect(restored).toMatchObject({ status: 200, body: { text: 'done' } });
    expect(idsOf(await searchDocuments(started, uploader(), first))).toEqual([_id]);
    expect((await searchDocuments(started, uploader(), second)).total).toBe(0);
  });
});

describe('the indexed text of a document', () => {
  it('is found by its current readers only', async () => {
    const { service, people } = started;
    const word = buildWord();
    const { _id } = await createIndexedDocument(started, { as: uploader(), content: `a secret: ${word}` });
    const listFinders = async () => {
      const names: string[] = [];
      for (const name of ['admin', 'uploader', 'friend', 'stranger'] as const)
        if ((await searchDocuments(started, people[name], word)).total > 0) names.push(name);
      return names;
    };
    const share = (method: string) =>
      service.call(method, `/documents/${_id}/share`, { as: uploader(), body: { userIds: [people.friend._id] } });
    expect(await listFinders()).toEqual(['admin', 'uploader']);
    await share('POST');
    expect(await listFinders()).toEqual(['admin', 'uploader', 'friend']);
    await share('DELETE');
    expect(await listFinders()).toEqual(['admin', 'uploader']);
    await service.call('PATCH', `/documents/${_id}`, { as: uploader(), body: { visibility: 'public' } });
    expect(await listFinders()).toEqual(['admin', 'uploader', 'friend', 'stranger']);
    await service.call('DELETE', `/documents/${_id}`, { as: uploader() });
    expect(await listFinders()).toEqual([]);
    await service.call('POST', `/documents/trash/${_id}/restore`, { as: uploader() });
    expect(await listFinders()).toEqual(['admin', 'uploader', 'friend', 'stranger']);
  });

  it('is deleted with the last document that refers to the object', async () => {
    const { service } = started;
    const first = await createIndexedDocument(started, { as: uploader(), content: 'the same twice' });
    const second = await createIndexedDocument(started, { as: uploader(), content: 'the same twice' });
    const texts = () =>
      queryDatabase(service.env.DATABASE_URL ?? '', `select from object_texts where text = 'the same twice'`);
    expect(idsOf(await searchDocuments(started, uploader(), 'same twice')).sort()).toEqual(
      [first._id, second._id].sort(),
    );
    expect(await texts()).toHaveLength(1);
    for (const [{ _id }, remainingCount] of [
      [first, 1],
      [second, 0],
    ] as const) {
      await service.call('DELETE', `/documents/${_id}`, { as: uploader() });
      await service.call('DELETE', `/documents/trash/${_id}`, { as: uploader() });
      expect(await texts()).toHaveLength(remainingCount);
    }
  });
});

describe('text extraction', () => {
  it.each<[string, Uint8Array<ArrayBuffer>, string]>([
    [
      'an image',
      new Uint8Array(
        Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        ),
      ),
      'none',
    ],
    ['a PDF without text', bytes(makePdf([[]])), 'none'],
    ['a PDF with a password', bytes(makePdf([['Locked']], LOCKED)), 'failed'],
  ])('reports that it found no text in %s', async (_label, content, state) => {
    const { text } = await createIndexedDocument(started, { as: uploader(), fileName: 'file', content });
    expect(text).toBe(state);
  });

  it('fails for a malicious file, and then reads the next one', async () => {
    const bomb = bytes(await makeBomb('', '\0', 1024 * MIB));
    const pages = bytes(makePdf(Array.from({ length: 10_000 }, (_, at) => [`Page ${at}`])));
    const word = buildWord();
    const hostile = [
      await createDocument(started.service, { as: uploader(), fileName: 'bomb.docx', content: bomb }),
      await createDocument(started.service, { as: uploader(), fileName: 'pages.pdf', content: pages }),
    ];
    const { _id } = await createIndexedDocument(started, { as: uploader(), content: word });
    expect(idsOf(await searchDocuments(started, uploader(), word))).toEqual([_id]);
    for (const { _id } of hostile) expect(await waitUntilIndexed(started, uploader(), _id)).toBe('failed');
    expect(await readTextState(started, uploader(), hostile[0]?._id ?? '')).toBe('failed');
  });
});

it('text extraction reports processed and pending files in metrics', async () => {
  await createIndexedDocument(started, { as: uploader() });
  const metrics = await (await fetch(`${started.service.url}/metrics`)).text();
  expect(metrics).toMatch(/^texts_total{outcome="done"[^}]*} [1-9]/m);
  expect(metrics).toMatch(/^texts_pending{[^}]*} \d/m);
});
