import { decodeHead } from '@atrium/object-store/objects/text-encoding';
import { createTextSampler, HEAD_BYTES } from '@atrium/object-store/objects/text-sample';
import { createDecoder, type Decoder } from '@atrium/proto-events/text/decoder';
import { chunksOf, type Input, readAt } from './input.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: text contains none
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/**
 * The decoder for a text: the detected encoding or that of its media type, otherwise windows-1252, in which every byte is a character.
 * Undefined if it is not text.
 */
export async function decoderFor(input: Input): Promise<Decoder | undefined> {
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
