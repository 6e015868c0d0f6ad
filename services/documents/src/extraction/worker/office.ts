import { readRelated } from './relationships.ts';
import type { TextSink } from './text-sink.ts';
import { attribute, readXml } from './xml.ts';
import type { Zip } from './zip.ts';

/** Elements without visible text: properties, field instructions, moved text, and fallbacks for old programs. */
const HIDDEN_ELEMENTS = new Set(['pPr', 'rPr', 'sectPr', 'tblPr', 'moveFrom', 'Fallback']);

/** Text of WordprocessingML (ISO/IEC 29500-1, 17) and DrawingML (21), which use the same local names: t in r in p. */
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

/** Slides in presentation order, each with its notes. */
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
