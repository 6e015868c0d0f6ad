import type { Decoder } from '@atrium/proto-events/text/decoder';
import { decoderFor } from './character-set.ts';
import { ExtractionError } from './fault.ts';
import { chunksOf, type Input } from './input.ts';
import type { TextSink } from './text-sink.ts';

const PAGE = /^\s*(<\?xml[^>]{0,200}>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype\s+html|html|head|body)[\s>]/i;

/** Text, Markdown, tables with separators; and pages, which nothing but their beginning tells from these. */
export async function readPlainText(input: Input, sink: TextSink): Promise<void> {
  const decoder = await decoderFor(input);
  if (!decoder) throw new ExtractionError('unsupported');
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

async function* decoded(input: Input, decoder: Decoder): AsyncGenerator<string, undefined> {
  for await (const chunk of chunksOf(input)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
  return undefined;
}
