import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Makes a zip of these files. OpenDocument's `mimetype` is stored uncompressed, as its format requires. */
export function makeZip(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(content), name, {
      compress: name !== 'mimetype' && content.length > 0,
      mtime: new Date(0),
    });
  zip.end();
  return buffer(zip.outputStream);
}

export const escapeXml = (text: string) => text.replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));
