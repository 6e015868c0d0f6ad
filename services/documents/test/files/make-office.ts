import { escapeXml, makeZip } from './make-zip.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org';
const R = `xmlns:r="${MAIN}/officeDocument/2006/relationships"`;
const CONTENT_TYPES = `${HEAD}<Types xmlns="${MAIN}/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`;

const relationships = (targets: readonly (readonly [id: string, type: string, target: string])[]) =>
  `${HEAD}<Relationships xmlns="${MAIN}/package/2006/relationships">${targets
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="${MAIN}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const rootRelationships = (target: string) => relationships([['rId1', 'officeDocument', target]]);

const W = `xmlns:w="${MAIN}/wordprocessingml/2006/main"`;
const wordParagraph = (text: string) =>
  `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;

/** Makes a Word document; `extraXml` is inserted after its paragraphs. */
export function makeDocx(
  paragraphs: readonly string[],
  { extraXml = '', header = '', footnote = '' } = {},
): Promise<Buffer> {
  return makeZip({
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': rootRelationships('word/document.xml'),
    'word/document.xml': `${HEAD}<w:document ${W}><w:body>${paragraphs.map(wordParagraph).join('')}${extraXml}</w:body></w:document>`,
    'word/header1.xml': `${HEAD}<w:hdr ${W}>${wordParagraph(header)}</w:hdr>`,
    'word/footnotes.xml': `${HEAD}<w:footnotes ${W}><w:footnote w:id="1">${wordParagraph(footnote)}</w:footnote></w:footnotes>`,
  });
}

const A = `xmlns:a="${MAIN}/drawingml/2006/main" xmlns:p="${MAIN}/presentationml/2006/main"`;
const shape = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p></p:txBody></p:sp>`;
const slide = (tag: string, text: string) =>
  `${HEAD}<p:${tag} ${A}><p:cSld><p:spTree>${shape(text)}</p:spTree></p:cSld></p:${tag}>`;

/** Makes a presentation whose slides are numbered in reverse display order. */
export function makePptx(slides: readonly { text: string; notes: string }[]): Promise<Buffer> {
  const parts: Record<string, string> = {};
  const numbers = slides.map((_, at) => slides.length - at);
  for (const [at, { text, notes }] of slides.entries()) {
    const number = numbers[at];
    parts[`ppt/slides/slide${number}.xml`] = slide('sld', text);
    parts[`ppt/slides/_rels/slide${number}.xml.rels`] = relationships([
      ['rId1', 'notesSlide', `../notesSlides/notesSlide${number}.xml`],
    ]);
    parts[`ppt/notesSlides/notesSlide${number}.xml`] = slide('notes', notes);
  }
  return makeZip({
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': rootRelationships('ppt/presentation.xml'),
    'ppt/presentation.xml': `${HEAD}<p:presentation ${A} ${R}><p:sldIdLst>${numbers.map((n) => `<p:sldId id="${255 + n}" r:id="rId${n}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(numbers.map((n) => [`rId${n}`, 'slide', `slides/slide${n}.xml`])),
    ...parts,
  });
}

export type Cell = string | number;

/** Makes a workbook with one sheet. Like in Excel, text is in shared strings, and numbers are inline. */
export function makeXlsx(name: string, rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  const shared = new Map<string, number>();
  const cell = (value: Cell) => {
    if (typeof value === 'number') return `<c><v>${value}</v></c>`;
    const index = shared.get(value) ?? shared.size;
    shared.set(value, index);
    return `<c t="s"><v>${index}</v></c>`;
  };
  const sheet = rows.map((row, at) => `<row r="${at + 1}">${row.map(cell).join('')}</row>`).join('');
  const strings = [...shared.keys()]
    .map((text) => `<si><t>${escapeXml(text)}</t><rPh sb="0" eb="1"><t>spoken</t></rPh></si>`)
    .join('');
  const S = `xmlns="${MAIN}/spreadsheetml/2006/main"`;
  return makeZip({
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': rootRelationships('xl/workbook.xml'),
    'xl/workbook.xml': `${HEAD}<workbook ${S} ${R}><sheets><sheet name="${escapeXml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['rId1', 'worksheet', '/xl/worksheets/sheet1.xml']]),
    'xl/sharedStrings.xml': `${HEAD}<sst ${S}>${strings}</sst>`,
    'xl/worksheets/sheet1.xml': `${HEAD}<worksheet ${S}><sheetData>${sheet}</sheetData></worksheet>`,
  });
}
