import { escapeXml, makeZip } from './make-zip.ts';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';
const NAMES = ['office', 'text', 'table', 'style'].map((name) => `xmlns:${name}="${OASIS}:${name}:1.0"`).join(' ');
const DRAW = `xmlns:draw="${OASIS}:drawing:1.0" xmlns:presentation="${OASIS}:presentation:1.0"`;

type Kind = 'text' | 'spreadsheet' | 'presentation';

function pack(kind: Kind, body: string, { footer = '', manifest = '' } = {}): Promise<Buffer> {
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="${OASIS}:manifest:1.0">${manifest}</manifest:manifest>`,
    'content.xml': `<office:document-content ${NAMES} ${DRAW}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${NAMES}><style:footer><text:p>${escapeXml(footer)}</text:p></style:footer></office:document-styles>`,
  });
}

const paragraph = (text: string) => `<text:p>${escapeXml(text)}</text:p>`;

/** Makes a Writer document; `extraXml` is inserted after its paragraphs. */
export const makeOdt = (paragraphs: readonly string[], { extraXml = '', footer = '', manifest = '' } = {}) =>
  pack('text', paragraphs.map(paragraph).join('') + extraXml, { footer, manifest });

export const makeOds = (rows: readonly (readonly string[])[]) =>
  pack(
    'spreadsheet',
    `<table:table table:name="Table">${rows
      .map(
        (row) =>
          `<table:table-row>${row.map((cell) => `<table:table-cell>${paragraph(cell)}</table:table-cell>`).join('')}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>`,
      )
      .join('')}</table:table>`,
  );

export const makeOdp = (slides: readonly { text: string; notes: string }[]) =>
  pack(
    'presentation',
    slides
      .map(
        ({ text, notes }) =>
          `<draw:page><draw:frame><draw:text-box>${paragraph(text)}</draw:text-box></draw:frame><presentation:notes>${paragraph(notes)}</presentation:notes></draw:page>`,
      )
      .join(''),
  );
