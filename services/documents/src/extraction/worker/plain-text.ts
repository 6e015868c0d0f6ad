import { decodeHead } from '@atrium/object-store/objects/text-encoding';
import { createTextSampler, HEAD_BYTES } from '@atrium/object-store/objects/text-sample';
import { createDecoder, type Decoder } from '@atrium/proto-events/text/decoder';
import { ExtractionError } from '../extraction.ts';
import { chunksOf, type Input, readAt } from './input.ts';
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
    const { createHtmlTextReader } = await import('./markup.ts');
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: text contains none
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** By default windows-1252, in which every byte is a character. Undefined if it is not text. */
async function decoderFor(input: Input): Promise<Decoder | undefined> {
  const bytes = await readAt(input, 0, HEAD_BYTES);
  const decoded = await decodeHead({ bytes, whole: bytes.length === input.size, later: await findLater(input) });
  if (decoded) return createDecoder(decoded.encoding);
  return BINARY.test(bytes.toString('latin1')) ? undefined : createDecoder('windows-1252');
}

async function findLater(input: Input): Promise<Buffer | undefined> {
  const sampler = createTextSampler();
  for await (const chunk of chunksOf(input)) {
    sampler.add(chunk);
    if (sampler.isFull()) break;
  }
  return sampler.read();
}
