import { describe, expect, it } from '@jest/globals';
import { createMeter } from './store-file.ts';
import { createTextSampler, HEAD_BYTES } from './text-sample.ts';

const ASCII = Buffer.from('Minutes of the meeting.\n'.repeat(4000));

async function detectType(content: Buffer, chunkBytes: number): Promise<string> {
  const meter = createMeter();
  for (let start = 0; start < content.length; start += chunkBytes) {
    meter.add(content.subarray(start, start + chunkBytes));
  }
  return (await meter.finish()).mimetype;
}

describe('text that begins with more ASCII than the head', () => {
  it.each([
    ['shift_jis', '\x89\xef\x8bc\x82\xcc\x8bc\x8e\x96\x98^\x82\xc5\x82\xb7\x81B'],
    ['windows-1252', 'R\xfcckgabe der Schl\xfcssel'],
    ['iso-2022-jp', '\x1b$B$3$l$OF|K\\8l$G$9!#\x1b(B'],
    ['utf-8', 'R\xc3\xbcckgabe der Schl\xc3\xbcssel'],
  ])('has the encoding of later bytes: %s', async (encoding, latin1) => {
    const content = Buffer.concat([ASCII, Buffer.from(latin1, 'latin1')]);
    for (const chunkBytes of [7_001, HEAD_BYTES, content.length])
      expect(await detectType(content, chunkBytes)).toBe(`text/plain; charset=${encoding}`);
  });

  it('is UTF-8 if only ASCII follows, or later bytes are not text', async () => {
    expect(await detectType(ASCII, HEAD_BYTES)).toBe('text/plain; charset=utf-8');
    expect(await detectType(Buffer.concat([ASCII, Buffer.from([0xff, 0, 1, 2])]), HEAD_BYTES)).toBe(
      'text/plain; charset=utf-8',
    );
  });

  it('is sampled only if the head is ASCII, and no further than needed', () => {
    const sampler = createTextSampler();
    sampler.add(Buffer.from('Gr\xfc\xdfe'));
    expect(sampler.isFull()).toBe(true);
    expect(sampler.read()).toBeUndefined();
    const other = createTextSampler();
    other.add(ASCII);
    expect(other.read()).toBeUndefined();
    other.add(Buffer.alloc(1024 * 1024, 0xfc));
    expect(other.isFull()).toBe(true);
    expect(other.read()?.length).toBe(64 * 1024);
  });
});
