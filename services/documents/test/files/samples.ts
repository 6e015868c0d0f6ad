import { makeDocx, makePptx, makeXlsx } from './make-office.ts';
import { makeOdp, makeOds, makeOdt } from './make-open-document.ts';
import { makePdf } from './make-pdf.ts';

const LINES = ['Grüße aus Köln', '日本語のテキスト', 'and a third line'];
const ROWS = [
  ['Straße', '12', '日本'],
  ['Weg', '13', '中国'],
];
const SLIDES = [
  { text: 'Änderung', notes: 'Say it' },
  { text: '二', notes: 'Say that' },
];

export const samples: readonly (readonly [name: string, file: Buffer, type: string])[] = [
  ['docx', await makeDocx(LINES, { header: 'Head', footnote: 'Note' }), 'application/zip'],
  ['odt', await makeOdt(LINES, { footer: 'Foot' }), 'application/zip'],
  ['pptx', await makePptx(SLIDES), 'application/zip'],
  ['odp', await makeOdp(SLIDES), 'application/zip'],
  ['xlsx', await makeXlsx('Sheet', ROWS), 'application/zip'],
  ['ods', await makeOds(ROWS), 'application/zip'],
  ['pdf', makePdf([LINES, ['Page 2']]), 'application/pdf'],
  [
    'html',
    Buffer.from(`<!doctype html><title>T</title>${LINES.map((line) => `<p>${line} <b>&amp;</b>`).join('')}`),
    'text/plain',
  ],
  ['csv', Buffer.from(ROWS.map((row) => row.join(';')).join('\n')), 'text/csv'],
];
