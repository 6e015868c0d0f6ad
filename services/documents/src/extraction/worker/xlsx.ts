import { ExtractionError } from './extraction-error.ts';
import { readRelated } from './relationships.ts';
import type { TextSink } from './text-sink.ts';
import { readXml } from './xml.ts';
import type { Zip } from './zip.ts';

/** Limit in UTF-16 units: all shared strings are kept in memory, because any sheet may refer to any of them. */
const MAX_SHARED_STRINGS_LENGTH = 16 * 1024 * 1024;

/** Sheets in order, one line per row: cells with text, numbers as stored. */
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

/** Text without phonetic annotations (`rPh`). */
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
