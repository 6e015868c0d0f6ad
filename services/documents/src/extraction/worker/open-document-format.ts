import { ExtractionError } from '../extraction.ts';
import { readXml, type XmlHandler } from './markup.ts';
import type { TextSink } from './text-sink.ts';
import type { Zip } from './zip.ts';

/** Deleted text kept for tracked changes, and ruby annotations. */
const HIDDEN_ELEMENTS = new Set(['tracked-changes', 'ruby-text']);

/** Elements that stand for whitespace, because literal whitespace is collapsed. */
const WHITESPACE_ELEMENTS: Readonly<Record<string, ' ' | '\t' | '\n'>> = { s: ' ', tab: '\t', 'line-break': '\n' };

/** OpenDocument texts, spreadsheets, and presentations (ISO/IEC 26300-3) use the same paragraph elements. */
export async function readOpenDocument(zip: Zip, sink: TextSink): Promise<void> {
  await assertNotEncrypted(zip);
  // `styles.xml` contains headers and footers.
  for (const name of ['content.xml', 'styles.xml']) {
    const chunks = zip.part(name);
    if (chunks) await readXml(chunks, createParagraphHandler(sink));
    sink.gap('\n');
  }
}

/** Encrypted parts keep their names (ISO/IEC 26300-2, 4.8), and would be reported as damaged without this check. */
async function assertNotEncrypted(zip: Zip): Promise<void> {
  const manifest = zip.part('META-INF/manifest.xml');
  if (!manifest) return;
  await readXml(manifest, {
    open(name) {
      if (name === 'encryption-data') throw new ExtractionError('encrypted');
    },
  });
}

function createParagraphHandler(sink: TextSink): XmlHandler {
  let hiddenDepth = 0;
  let depth = 0;
  let cellDepth = 0;
  return {
    open(name) {
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth += 1;
      if (hiddenDepth > 0) return;
      if (name === 'table-row') sink.gap('\n');
      else if (name === 'table-cell') cellDepth += 1;
      else if (name === 'p' || name === 'h') {
        depth += 1;
        sink.gap(cellDepth > 0 ? ' ' : '\n');
      } else if (depth > 0) sink.gap(WHITESPACE_ELEMENTS[name] ?? '');
    },
    close(name) {
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth -= 1;
      if (hiddenDepth > 0) return;
      if (name === 'p' || name === 'h') {
        depth -= 1;
        sink.gap(cellDepth > 0 ? ' ' : '\n');
      } else if (name === 'table-cell') {
        cellDepth -= 1;
        sink.gap('\t');
      } else if (name === 'table-row' || name === 'table') sink.gap('\n');
    },
    text(text) {
      if (depth > 0 && hiddenDepth === 0) sink.writeWords(text);
    },
  };
}
