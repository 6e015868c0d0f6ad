import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import { makePdfFromObjects, pdfStream } from './make-pdf.ts';
import { makeZip } from './make-zip.ts';

const MIB = 1024 * 1024;

function* repeatBlock(block: Buffer, bytes: number): Generator<Buffer> {
  for (let remaining = bytes; remaining > 0; remaining -= block.length) yield block.subarray(0, remaining);
}

/** Makes a Word document whose XML is `before`, followed by `bytes` times the same byte. */
export function makeBomb(before: string, byte: string, bytes: number): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('<Types/>'), '[Content_Types].xml');
  const content = [Buffer.from(before), ...repeatBlock(Buffer.alloc(MIB, byte), bytes)];
  zip.addReadStream(Readable.from(content), 'word/document.xml');
  zip.end();
  return buffer(zip.outputStream);
}

/** Makes a Word document with this XML. */
export const makeDocumentXml = (xml: string) =>
  makeZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': xml });

export function createEndlessStream(): Readable {
  const chunk = Buffer.alloc(64 * 1024, 'And so on. ');
  return new Readable({
    read() {
      this.push(chunk);
    },
  });
}

export function createStalledStream(): Readable {
  const stream = new Readable({ read() {} });
  stream.push('It began ');
  return stream;
}

const page = (resources: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} >> >>`;
const CATALOG = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'];
const FONT = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';

/** Makes a PDF whose page draws a form twelve times, which draws a form twelve times, and so on. */
export function makeRecursivePdf(): Buffer {
  const form = (content: string, resources: string) =>
    pdfStream(content, `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${resources} >>`);
  const forms = Array.from({ length: 12 }, (_, at) => form('/X Do '.repeat(12), `/XObject << /X ${6 + at} 0 R >>`));
  const last = form('BT /F1 9 Tf (ha) Tj ET', FONT);
  return makePdfFromObjects([...CATALOG, page('/XObject << /X 5 0 R >>'), pdfStream('/X Do'), ...forms, last]);
}

/** Makes a PDF whose page is a thousand times larger than the file. */
export function makeDecompressionBombPdf(bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, 'q Q ')).toString('latin1');
  return makePdfFromObjects([...CATALOG, page(FONT), pdfStream(packed, '/Filter /FlateDecode')]);
}
