/** Makes a PDF of objects numbered from 1 (ISO 32000-2, 7.5); `trailer` is added to the trailer dictionary. */
export function makePdfFromObjects(objects: readonly string[], trailer = ''): Buffer {
  let body = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, at) => {
    const offset = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + end, 'latin1');
}

export const pdfStream = (content: string, dictionary = '') =>
  `<< /Length ${content.length} ${dictionary} >>\nstream\n${content}\nendstream`;

/** Latin letters in WinAnsi encoding, and Japanese with a predefined character map. */
const FONTS = [
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [5 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 6 0 R >>',
  '<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
];
const FIRST_PAGE_OBJECT = 7;

const isLatin = (text: string) => /^[\u0020-\u007e\u00a0-\u00ff]*$/.test(text);

const showText = (text: string) =>
  isLatin(text)
    ? `/F1 12 Tf (${text.replace(/[\\()]/g, '\\$&')}) Tj`
    : `/F2 12 Tf <${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj`;

/** Makes a PDF of pages with lines; each line is all Latin or all Japanese. */
export function makePdf(pages: readonly (readonly string[])[], trailer = ''): Buffer {
  const kids = pages.map((_, at) => `${FIRST_PAGE_OBJECT + 2 * at} 0 R`);
  const pageObjects = pages.flatMap((lines, at) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${FIRST_PAGE_OBJECT + 2 * at + 1} 0 R >>`,
    pdfStream(`BT 50 800 Td 14 TL ${lines.map((line) => `${showText(line)} T*`).join('\n')} ET`),
  ]);
  return makePdfFromObjects(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`,
      ...FONTS,
      ...pageObjects,
    ],
    trailer,
  );
}

const HEX_32 = '5a'.repeat(32);

/** Encryption that no password opens (ISO 32000-2, 7.6). */
export const LOCKED = `/ID [<${HEX_32}> <${HEX_32}>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${HEX_32}> /U <${HEX_32}> >>`;
