import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { makeDocx, makePptx, makeXlsx } from '../../test/files/make-office.ts';
import { makeOdp, makeOds, makeOdt } from '../../test/files/make-open-document.ts';
import { LOCKED, makePdf } from '../../test/files/make-pdf.ts';
import { makeZip } from '../../test/files/make-zip.ts';
import { createTextExtractor } from './text-extractor.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ZIP = 'application/zip';
const PDF = 'application/pdf';
const TEXT = 'text/plain; charset=utf-8';
const UNKNOWN = 'application/octet-stream';

const extractor = createTextExtractor({ concurrency: 2 });
afterAll(() => extractor.close());

const extract = async (file: Buffer | string | Promise<Buffer>, type: string) =>
  extractor.extract(Readable.from([Buffer.from(await file)]), { type });
const complete = (text: string) => ({ state: 'text', text, isTruncated: false });

const LINES = ['Grüße aus Köln & <Bonn>', '日本語のテキスト'];

describe('text extraction', () => {
  it.each([
    [
      'a Word document with header and notes',
      makeDocx(LINES, { header: 'Head', footnote: 'Note' }),
      DOCX,
      [...LINES, 'Note', 'Head'],
    ],
    ['a Writer document with a footer', makeOdt(LINES, { footer: 'Foot' }), ZIP, [...LINES, 'Foot']],
    [
      'a PowerPoint presentation in slide order',
      makePptx([
        { text: 'Änderung', notes: 'Say it' },
        { text: '二', notes: '' },
      ]),
      ZIP,
      ['Änderung', 'Say it', '二'],
    ],
    [
      'an Impress presentation',
      makeOdp([
        { text: 'Änderung', notes: 'Say it' },
        { text: '二', notes: '' },
      ]),
      ZIP,
      ['Änderung', 'Say it', '二'],
    ],
    [
      'an Excel workbook',
      makeXlsx('Übersicht', [
        ['Straße', 12],
        ['日本', 2.5],
      ]),
      ZIP,
      ['Übersicht', 'Straße\t12', '日本\t2.5'],
    ],
    [
      'a Calc spreadsheet',
      makeOds([
        ['Straße', '12'],
        ['日本', '2,5'],
      ]),
      ZIP,
      ['Straße\t12', '日本\t2,5'],
    ],
    ['a PDF', makePdf([['Grüße (aus) Köln', '日本語'], ['Seite 2']]), PDF, ['Grüße (aus) Köln', '日本語', 'Seite 2']],
    ['plain text', `${LINES.join('\r\n')}`, TEXT, LINES],
    ['Markdown', '# Überschrift\n\n* Punkt', 'text/markdown', ['# Überschrift', '', '* Punkt']],
    ['CSV', 'Straße;1\n"a;b";2', 'text/csv', ['Straße;1', '"a;b";2']],
    [
      'HTML',
      '<!doctype html><title>Titel</title><style>p{}</style><script>x()</script><p>a<b>b</b>\n c&auml;<p>d',
      TEXT,
      ['Titel', 'ab cä', 'd'],
    ],
    [
      'HTML in a legacy encoding',
      Buffer.from('<html><meta charset="iso-8859-2"><p>\xb3\xf3d\xbc', 'latin1'),
      TEXT,
      ['łódź'],
    ],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeffGrüße 日本', 'utf16le'), UNKNOWN, ['Grüße 日本']],
    ['UTF-32', Buffer.from(Uint32Array.from([0xfeff, 0x65e5, 0x672c]).buffer), UNKNOWN, ['日本']],
    ['windows-1252', Buffer.from([0x80, 0x20, 0xfc]), UNKNOWN, ['€ ü']],
  ])('reads %s', async (_label, file, type, lines) => {
    expect(await extract(await file, type)).toEqual(complete(lines.join('\n')));
  });

  it('excludes deleted text, field instructions, and fallbacks of a Word document', async () => {
    const xml =
      '<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>come</w:t></w:r></w:ins><w:r><w:instrText>PAGE</w:instrText></w:r>' +
      '<mc:AlternateContent><mc:Choice><w:t> once</w:t></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback></mc:AlternateContent><w:r><w:tab/><w:t>far</w:t><w:br/><w:t>below</w:t></w:r></w:p>';
    expect(await extract(makeDocx([], { extraXml: xml }), DOCX)).toEqual(complete('come once\tfar\nbelow'));
  });

  it('includes explicit whitespace and excludes deleted text of a Writer document', async () => {
    const xml =
      '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d<text:span>e</text:span></text:p>';
    expect(await extract(makeOdt([], { extraXml: xml }), ZIP)).toEqual(complete('a b\tc\nde'));
  });

  it('returns empty for a file without text', async () => {
    expect(await extract(makePdf([[]]), PDF)).toEqual({ state: 'empty' });
    expect(await extract(makeDocx([]), DOCX)).toEqual({ state: 'empty' });
    expect(await extract('', TEXT)).toEqual({ state: 'empty' });
  });

  it('returns unsupported for other types', async () => {
    const unsupported = { state: 'unsupported' };
    expect(await extract('GIF89a', 'image/gif')).toEqual(unsupported);
    expect(await extract(makeZip({ 'a.txt': 'a' }), ZIP)).toEqual(unsupported);
    expect(await extract(Buffer.from([1, 0, 2]), UNKNOWN)).toEqual(unsupported);
    expect(await extract('an old .doc', 'application/x-cfb')).toEqual(unsupported);
  });

  it('returns encrypted for a file with a password', async () => {
    const encrypted = { state: 'failed', reason: 'encrypted' };
    expect(await extract(makePdf([['secret']], LOCKED), PDF)).toEqual(encrypted);
    expect(await extract(makeOdt(['secret'], { manifest: '<manifest:encryption-data/>' }), ZIP)).toEqual(encrypted);
    expect(await extract(Buffer.from('\0EncryptedPackage', 'utf16le'), 'application/x-cfb')).toEqual(encrypted);
  });

  it('returns damaged for a truncated file', async () => {
    const damaged = { state: 'failed', reason: 'damaged' };
    expect(await extract((await makeDocx(LINES)).subarray(0, -40), DOCX)).toEqual(damaged);
    expect(await extract(makePdf([LINES]).subarray(0, 700), PDF)).toEqual(damaged);
  });

  it('uses the media type for a file that is valid as two types', async () => {
    const ambiguousFile = Buffer.concat([makePdf([['As a PDF']]), await makeDocx(['As a text'])]);
    expect(await extract(ambiguousFile, PDF)).toEqual(complete('As a PDF'));
    expect(await extract(ambiguousFile, DOCX)).toEqual({ state: 'failed', reason: 'damaged' });
  });

  it('truncates text at the limit', async () => {
    const limitedExtractor = createTextExtractor({ concurrency: 1, limits: { characters: 10 } });
    const extraction = await limitedExtractor.extract(Readable.from(['0123456789 and more']), { type: TEXT });
    expect(extraction).toEqual({ state: 'text', text: '0123456789', isTruncated: true });
  });
});
