import type { TextDecoder } from 'node:util';
import { decoderFor } from './character-set.ts';
import { Fault } from './fault.ts';
import { chunksOf, type Input, readAt } from './input.ts';
import type { TextSink } from './text-sink.ts';

/** What the character set is found from: all of the text that can be wanted of most files. */
const HEAD_BYTES = 4 * 1024 * 1024;

const PAGE = /^\s*(<\?xml[^>]{0,200}>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype\s+html|html|head|body)[\s>]/i;

/** Text, Markdown, tables with separators; and pages, which nothing but their beginning tells from these. */
export async function readPlainText(input: Input, sink: TextSink): Promise<void> {
  const head = await readAt(input, 0, HEAD_BYTES);
  const decoder = await decoderFor(head, head.length === input.size);
  if (!decoder) throw new Fault('unsupported');
  const pieces = decoded(input, decoder);
  const first = await pieces.next();
  const beginning = first.value ?? '';
  if (PAGE.test(beginning)) {
    const { createPageReader } = await import('./page.ts');
    const page = createPageReader(sink);
    page.write(beginning);
    for await (const piece of pieces) page.write(piece);
    page.end();
    return;
  }
  sink.write(beginning);
  for await (const piece of pieces) sink.write(piece);
}

async function* decoded(input: Input, decoder: TextDecoder): AsyncGenerator<string, undefined> {
  for await (const chunk of chunksOf(input)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
  return undefined;
}
