import { describe, expect, it } from '@jest/globals';
import { findType } from './find-type.ts';

const typeOf = (content: string | number[], whole = true) =>
  findType({ bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content), whole });

const TEXT = 'text/plain; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';
const UNKNOWN = 'application/octet-stream';

describe('the type of a file', () => {
  it.each([
    ['a PDF', '%PDF-1.7\n%âãÏÓ', 'application/pdf'],
    ['a GIF', 'GIF89a\x01\x00\x01\x00', 'image/gif'],
    ['a page', '<!doctype html><script>alert(1)</script>', TEXT],
    ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', TEXT],
    ['prose', 'Dear all,\n\nsee you at nine.\n', TEXT],
    ['one line with commas', 'a, b, c', TEXT],
    ['a table', 'name,size\n"Smith, J",2\n', CSV],
    ['a table with semicolons', 'a;b;c\r\n1;2;3\r\n', CSV],
    ['ragged lines', 'a,b\nc\n', TEXT],
    ['an object', ' {"a": [1]}', 'application/json'],
    ['an unfinished object', '{"a": ', TEXT],
    ['a number', '42', TEXT],
    ['umlauts', 'Grüße aus Köln', TEXT],
    ['text with a NUL', 'a\u0000b', UNKNOWN],
  ])('of %s is found from the bytes', async (_what, content, type) => {
    expect(await typeOf(content)).toBe(type);
  });

  it('is unknown for bytes that are not UTF-8', async () => {
    expect(await typeOf([0xc3, 0x28, 0xa0, 0x41])).toBe(UNKNOWN);
  });

  it('is text where the head ends within a character', async () => {
    const cut = [...Buffer.from('Straße ')].concat([0xe2, 0x82]);
    expect(await typeOf(cut, false)).toBe(TEXT);
    expect(await typeOf(cut, true)).toBe(UNKNOWN);
  });

  it('is judged by the beginning where only that is known', async () => {
    expect(await typeOf('[{"a": 1}, {"b"', false)).toBe('application/json');
    expect(await typeOf('[see the appendix]', false)).toBe(TEXT);
    expect(await typeOf('a,b\n1,2\n3', false)).toBe(CSV);
  });
});
