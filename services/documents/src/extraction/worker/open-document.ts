import { ExtractionError } from './fault.ts';
import type { TextSink } from './text-sink.ts';
import { readXml, type XmlHandler } from './xml.ts';
import type { Zip } from './zip.ts';

/** What was deleted and is kept for a comparison, and how often a name was said. */
const UNSEEN = new Set(['tracked-changes', 'ruby-text']);

/** White space that has to be said, as the plain one counts once. */
const WHITE: Readonly<Record<string, ' ' | '\t' | '\n'>> = { s: ' ', tab: '\t', 'line-break': '\n' };

/** The texts, tables and presentations of OpenDocument (ISO/IEC 26300-3), which call their paragraphs alike. */
export async function readOpenDocument(zip: Zip, sink: TextSink): Promise<void> {
  await refuseEncrypted(zip);
  // The second holds what stands at the head and foot of each page.
  for (const name of ['content.xml', 'styles.xml']) {
    const chunks = zip.part(name);
    if (chunks) await readXml(chunks, paragraphs(sink));
    sink.gap('\n');
  }
}

/** Parts are encrypted under their own names (ISO/IEC 26300-2, 4.8), so they look like damaged ones. */
async function refuseEncrypted(zip: Zip): Promise<void> {
  const manifest = zip.part('META-INF/manifest.xml');
  if (!manifest) return;
  await readXml(manifest, {
    open(name) {
      if (name === 'encryption-data') throw new ExtractionError('encrypted');
    },
  });
}

function paragraphs(sink: TextSink): XmlHandler {
  let unseen = 0;
  let depth = 0;
  let cells = 0;
  return {
    open(name) {
      if (UNSEEN.has(name)) unseen += 1;
      if (unseen > 0) return;
      if (name === 'table-row') sink.gap('\n');
      else if (name === 'table-cell') cells += 1;
      else if (name === 'p' || name === 'h') {
        depth += 1;
        sink.gap(cells > 0 ? ' ' : '\n');
      } else if (depth > 0) sink.gap(WHITE[name] ?? '');
    },
    close(name) {
      if (UNSEEN.has(name)) unseen -= 1;
      if (unseen > 0) return;
      if (name === 'p' || name === 'h') {
        depth -= 1;
        sink.gap(cells > 0 ? ' ' : '\n');
      } else if (name === 'table-cell') {
        cells -= 1;
        sink.gap('\t');
      } else if (name === 'table-row' || name === 'table') sink.gap('\n');
    },
    text(text) {
      if (depth > 0 && unseen === 0) sink.words(text);
    },
  };
}
