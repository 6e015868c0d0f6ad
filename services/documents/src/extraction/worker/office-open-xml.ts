import { posix } from 'node:path';
import { ExtractionError } from '../extraction.ts';
import { attribute, readXml } from './markup.ts';
import type { TextSink } from './text-sink.ts';
import type { Zip } from './zip.ts';

/** Elements without visible text: properties, field instructions, moved text, and fallbacks for old programs. */
const HIDDEN_ELEMENTS = new Set(['pPr', 'rPr', 'sectPr', 'tblPr', 'moveFrom', 'Fallback']);

/** WordprocessingML (ISO/IEC 29500-1, 17) and DrawingML (21) use the same local names: t in r in p. */
async function readRuns(chunks: AsyncIterable<Buffer> | undefined, sink: TextSink): Promise<void> {
  if (!chunks) return;
  let hiddenDepth = 0;
  let inText = false;
  await readXml(chunks, {
    open(name) {
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth += 1;
      if (hiddenDepth > 0) return;
      inText = name === 't';
      if (name === 'tab') sink.gap('\t');
      else if (name === 'br' || name === 'cr' || name === 'p') sink.gap('\n');
    },
    close(name) {
      if (HIDDEN_ELEMENTS.has(name)) hiddenDepth -= 1;
      if (name === 't') inText = false;
      if (name === 'p') sink.gap('\n');
    },
    text(text) {
      if (inText && hiddenDepth === 0) sink.words(text);
    },
  });
}

const SECONDARY_PARTS = /^word\/(header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/;

export async function readDocx(zip: Zip, sink: TextSink): Promise<void> {
  const secondary = [...zip.names].filter((name) => SECONDARY_PARTS.test(name)).sort();
  for (const name of ['word/document.xml', ...secondary]) {
    await readRuns(zip.part(name), sink);
    sink.gap('\n');
  }
}

export async function readPptx(zip: Zip, sink: TextSink): Promise<void> {
  const order: string[] = [];
  const presentation = zip.part('ppt/presentation.xml');
  if (presentation)
    await readXml(presentation, {
      open(name, attributes) {
        // Besides its own `id`, it has that of the relationship, usually with the prefix r.
        const id = name === 'sldId' ? (attributes['r:id'] ?? attribute(attributes, 'id')) : undefined;
        if (id) order.push(id);
      },
    });
  const slides = await readRelated(zip, 'ppt/presentation.xml');
  for (const id of order) {
    const slide = slides.get(id)?.part;
    if (!slide) continue;
    await readRuns(zip.part(slide), sink);
    sink.gap('\n');
    for (const { type, part } of (await readRelated(zip, slide)).values())
      if (/\/(notesSlide|diagramData)$/.test(type)) await readRuns(zip.part(part), sink);
    sink.gap('\n');
  }
}

/** UTF-16 units. All shared strings are kept in memory, because any sheet may refer to any of them. */
const MAX_SHARED_STRINGS_LENGTH = 16 * 1024 * 1024;

export async function readXlsx(zip: Zip, sink: TextSink): Promise<void> {
  const sheets = await readSheetList(zip);
  const related = await readRelated(zip, 'xl/workbook.xml');
  const shared = await readShared(zip);
  for (const { name, id } of sheets) {
    const part = related.get(id)?.part;
    const chunks = part === undefined ? undefined : zip.part(part);
    if (!chunks) continue;
    sink.gap('\n');
    sink.words(name);
    await readSheet(chunks, shared, sink);
  }
}

async function readSheetList(zip: Zip): Promise<{ name: string; id: string }[]> {
  const sheets: { name: string; id: string }[] = [];
  const chunks = zip.part('xl/workbook.xml');
  if (chunks)
    await readXml(chunks, {
      open(tag, { name = '', 'r:id': id }) {
        if (tag === 'sheet' && id) sheets.push({ name, id });
      },
    });
  return sheets;
}

async function readShared(zip: Zip): Promise<string[]> {
  const shared: string[] = [];
  const chunks = zip.part('xl/sharedStrings.xml');
  if (!chunks) return shared;
  let current = '';
  let remaining = MAX_SHARED_STRINGS_LENGTH;
  let inText = false;
  let inPhonetic = false;
  await readXml(chunks, {
    open(name) {
      if (name === 'si') current = '';
      else if (name === 'rPh') inPhonetic = true;
      else if (name === 't') inText = !inPhonetic;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') inPhonetic = false;
      // A copy: the parser returns slices that keep the whole input in memory.
      else if (name === 'si') shared.push(Buffer.from(current).toString());
    },
    text(text) {
      if (!inText) return;
      current += text;
      remaining -= text.length;
      if (remaining < 0) throw new ExtractionError('too-long');
    },
  });
  return shared;
}

async function readSheet(chunks: AsyncIterable<Buffer>, shared: readonly string[], sink: TextSink): Promise<void> {
  let type = '';
  let value = '';
  let inValue = false;
  await readXml(chunks, {
    open(name, { t = 'n' }) {
      if (name === 'row') sink.gap('\n');
      else if (name === 'c') {
        type = t;
        value = '';
      } else if (name === 'v' || name === 't') inValue = true;
      else if (name === 'rPh') inValue = false;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      if (name !== 'c') return;
      sink.gap('\t');
      sink.words(type === 's' ? (shared[Number(value)] ?? '') : value);
    },
    text(text) {
      if (inValue) value += text;
    },
  });
}

export type Related = { type: string; part: string };

/** By relationship id (ISO/IEC 29500-2, 6.5). */
async function readRelated(zip: Zip, part: string): Promise<ReadonlyMap<string, Related>> {
  const related = new Map<string, Related>();
  const folder = posix.dirname(part);
  const chunks = zip.part(`${folder}/_rels/${posix.basename(part)}.rels`);
  if (!chunks) return related;
  await readXml(chunks, {
    open(name, { Id, Type, Target, TargetMode }) {
      if (name !== 'Relationship' || !Id || !Target || TargetMode === 'External') return;
      related.set(Id, { type: Type ?? '', part: posix.resolve('/', folder, Target).slice(1) });
    },
  });
  return related;
}
