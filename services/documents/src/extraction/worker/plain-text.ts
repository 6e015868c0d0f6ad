import type { Decoder } from '@atrium/proto-events/text/decoder';
import { decoderFor } from './character-set.ts';
import { ExtractionError } from './extraction-error.ts';
import { chunksOf, type Input } from './input.ts';
import type { TextSink } from './text-sink.ts';

const HTML_START = /^\s*(<\?xml[^>]{0,200}>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype\s+html|html|head|body)[\s>]/i;

/** Plain text, Markdown, CSV, and HTML, which only its content distinguishes. */
export async function readPlainText(input: Input, sink: TextSink): Promise<void> {
  const decoder = await decoderFor(input);
  if (!decoder) throw new ExtractionError('unsupported');
  const chunks = decoded(input, decoder);
  const first = await chunks.next();
  const start = first.value ?? '';
  if (HTML_START.test(start)) {
    const { createHtmlTextReader } = await import('./html-text.ts');
    const page = createHtmlTextReader(sink);
    page.write(start);
    for await (const chunk of chunks) page.write(chunk);
    page.end();
    return;
  }
  sink.write(start);
  for await (const chunk of chunks) sink.write(chunk);
}

async function* decoded(input: Input, decoder: Decoder): AsyncGenerator<string, undefined> {
  for await (const chunk of chunksOf(input)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
  return undefined;
}
