import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  createEndlessStream,
  makeBomb,
  makeDecompressionBombPdf,
  makeDocumentXml,
  makeRecursivePdf,
} from '../../test/files/make-hostile.ts';
import { makeXlsx } from '../../test/files/make-office.ts';
import { makePdf } from '../../test/files/make-pdf.ts';
import { makeZip } from '../../test/files/make-zip.ts';
import type { Extraction } from './extraction.ts';
import { createTextExtractor } from './text-extractor.ts';

const MIB = 1024 * 1024;
const ZIP = 'application/zip';
const PDF = 'application/pdf';

const makePages = (count: number) => makePdf(Array.from({ length: count }, (_, at) => [`Page ${at}`]));
const failed = (reason: string): Extraction => ({ state: 'failed', reason }) as Extraction;

const extractor = createTextExtractor({ concurrency: 1, limits: { fileBytes: 64 * MIB } });
afterAll(() => extractor.close());

/** Also returns by how many bytes the memory of this process grew. */
async function extract(source: Readable, type: string) {
  const initialBytes = process.memoryUsage.rss();
  let peakBytes = initialBytes;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, 10);
  const extraction = await extractor.extract(source, { type });
  clearInterval(watch);
  return { extraction, growthBytes: peakBytes - initialBytes };
}

describe('extraction of a malicious file', () => {
  it.each<[string, () => Readable | Buffer | Promise<Buffer>, string, Extraction]>([
    ['a part of 320 MB', () => makeBomb('', '\0', 320 * MIB), ZIP, failed('too-long')],
    ['a paragraph of 100 MB', () => makeBomb('<w:document><w:p><w:r><w:t>a', ' ', 100 * MIB), ZIP, failed('too-long')],
    ['an element name of 100 MB', () => makeBomb('<w', 'a', 100 * MIB), ZIP, failed('too-long')],
    ['a million nested elements', () => makeDocumentXml('<a>'.repeat(1_000_000)), ZIP, failed('damaged')],
    [
      'too many parts',
      () => makeZip(Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`${at}`, '']))),
      ZIP,
      failed('too-long'),
    ],
    ['a file that never ends', () => createEndlessStream(), 'text/plain', failed('too-long')],
    ['10,000 pages', () => makePages(10_000), PDF, failed('too-long')],
    ['a page that decompresses to 300 MB', () => makeDecompressionBombPdf(300 * MIB), PDF, failed('memory')],
  ])('fails for %s without affecting the service', async (_label, make, type, expected) => {
    const file = await make();
    const source = file instanceof Readable ? file : Readable.from([file]);
    const { extraction, growthBytes } = await extract(source, type);
    expect(extraction).toEqual(expected);
    expect(growthBytes).toBeLessThan(64 * MIB);
    expect(source.destroyed).toBe(true);
  });

  it('does not expand exponential entities', async () => {
    const declared = Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join('');
    const xml = `<!DOCTYPE w [<!ENTITY a0 "ha">${declared}<!ENTITY file SYSTEM "file:///etc/passwd">]><w:p><w:r><w:t>&a9; &file;</w:t></w:r></w:p>`;
    const { extraction } = await extract(Readable.from([await makeDocumentXml(xml)]), ZIP);
    expect(extraction).toEqual({ state: 'text', text: '&a9; &file;', isTruncated: false });
  });

  it('truncates a table that repeats a shared string', async () => {
    const workbook = await makeXlsx(
      'Bomb',
      Array.from({ length: 1_000 }, () => ['ha'.repeat(100_000)]),
    );
    const { extraction, growthBytes } = await extract(Readable.from([workbook]), ZIP);
    expect(extraction).toMatchObject({ state: 'text', isTruncated: true });
    expect(growthBytes).toBeLessThan(64 * MIB);
  });

  it('fails for a recursive page by memory or time', async () => {
    const { extraction, growthBytes } = await extract(Readable.from([makeRecursivePdf()]), PDF);
    expect([failed('memory'), failed('time')]).toContainEqual(extraction);
    expect(growthBytes).toBeLessThan(64 * MIB);
  });

  it('fails after a timeout', async () => {
    const extractorWithTimeout = createTextExtractor({ concurrency: 1, limits: { timeMs: 1_000 } });
    const startedAt = Date.now();
    expect(await extractorWithTimeout.extract(Readable.from([makePages(5_000)]), { type: PDF })).toEqual(
      failed('time'),
    );
    expect(Date.now() - startedAt).toBeLessThan(25_000);
  });
});
