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

  it.each([
    'BMW Rechnung 2026',
    'ID3 tags explained',
    'GIF89a is a format',
    'OggS',
    'fLaC notes',
    'MThd',
    'RIFF raff 1234WAVE now',
    'BZh91',
    'FWS and CWS',
    '8BPS',
    'MZ',
    'SQLite format 3',
    '!<arch>\nfoo',
    'wOFF2',
    'solid ground',
    'Rar!',
    '\ufeffBMW',
  ])('is text for %j, whose first letters are the signature of another format', async (text) => {
    expect(await typeOf(text)).toBe(TEXT);
  });

  it.each([
    ['an iCalendar', 'BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n', 'text/calendar; charset=utf-8'],
    ['RTF', '{\\rtf1\\ansi Hello}', 'application/rtf'],
    ['PostScript', '%!PS-Adobe-3.0\n', 'application/postscript'],
    ['XML', '<?xml version="1.0"?><a/>', 'application/xml'],
  ])('is that of a format made of text for %s', async (_what, content, type) => {
    expect(await typeOf(content)).toBe(type);
  });

  const utf16 = (text: string, { isBig = false, mark = '' } = {}) => {
    const bytes = Buffer.from(mark + text, 'utf16le');
    return [...(isBig ? bytes.swap16() : bytes)];
  };
  const PROSE = [
    'Dear all, see you at nine.',
    'Привет, мир и все',
    '这是一个简单的中文文本，用于测试编码。',
    '이것은 한국어 텍스트입니다.',
  ];

  it.each(PROSE)('is text in UTF-16 with a mark and without: %j', async (text) => {
    for (const isBig of [false, true]) {
      const type = `text/plain; charset=utf-16${isBig ? 'be' : 'le'}`;
      expect(await typeOf(utf16(text, { isBig, mark: '\ufeff' }))).toBe(type);
      expect(await typeOf(utf16(text, { isBig }))).toBe(type);
    }
    expect(await typeOf(utf16('BMW', { mark: '\ufeff' }))).toBe('text/plain; charset=utf-16le');
  });

  it.each([
    ['windows-1252', 'R\xfcckgabe der Schl\xfcssel f\xfcr das gro\xdfe Geb\xe4ude'],
    [
      'windows-1251',
      '\xcf\xf0\xe8\xe2\xe5\xf2, \xfd\xf2\xee \xef\xf0\xee\xf1\xf2\xee\xe9 \xf0\xf3\xf1\xf1\xea\xe8\xe9 \xf2\xe5\xea\xf1\xf2',
    ],
    ['shift_jis', '\x82\xb1\x82\xea\x82\xcd\x93\xfa\x96{\x8c\xea\x82\xcc\x83e\x83L\x83X\x83g\x82\xc5\x82\xb7\x81B'],
    ['iso-2022-jp', '\x1b$B$3$l$OF|K\\8l$G$9!#\x1b(B'],
    ['gb18030', '\xd5\xe2\xca\xc7\xd2\xbb\xb8\xf6\xbc\xf2\xb5\xa5\xb5\xc4\xd6\xd0\xce\xc4\xce\xc4\xb1\xbe'],
  ])('is text in the legacy encoding %s', async (encoding, latin1) => {
    expect(await typeOf([...Buffer.from(latin1, 'latin1')])).toBe(`text/plain; charset=${encoding}`);
  });

  it('is what a page says of its encoding', async () => {
    const page = '<html><head><meta charset="iso-8859-2"></head><body>Za\xbf\xf3\xb3\xe6</body></html>';
    expect(await typeOf([...Buffer.from(page, 'latin1')])).toBe('text/plain; charset=iso-8859-2');
  });

  it.each([
    ['MP3', [0xff, 0xfb, 0x90, 0x64, 0x00, 0x0f, 0xf0, 0x00, 0x00, 0x69, 0x00, 0x00], 'audio/mpeg'],
    ['BMP', [0x42, 0x4d, 0x46, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x36, 0x00], 'image/bmp'],
    ['gzip', [0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00], 'application/gzip'],
  ])('is that of a binary format for %s', async (_what, bytes, type) => {
    expect(await typeOf(bytes)).toBe(type);
  });

  it('is unknown for bytes that are no text in any encoding', async () => {
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
