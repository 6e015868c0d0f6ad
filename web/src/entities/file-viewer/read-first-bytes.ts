import { charsetOf } from '@atrium/proto-events/preview-kind';
import { createDecoder } from '@atrium/proto-events/text/decoder';
import { NO_PREVIEW } from './viewed-file.ts';

/** Reads at most `maxBytes` bytes and decodes them with the encoding named in the link. A character cut at the end is dropped. */
export async function readFirstBytes(url: string, maxBytes: number): Promise<string> {
  const answer = await fetch(url, { headers: { range: `bytes=0-${maxBytes - 1}` } });
  if (!answer.ok || !answer.body) throw new Error(NO_PREVIEW);
  const decoder = createDecoder(charsetOf(answer.headers.get('content-type') ?? ''));
  const reader = answer.body.getReader();
  let text = '';
  let left = maxBytes;
  // Servers without range support send the whole file.
  while (left > 0) {
    const { value } = await reader.read();
    if (!value) break;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
  }
  await reader.cancel();
  return text;
}
