import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { renderThumbnails } from './render-thumbnails.ts';
import type { RenderResult } from './rendered-images.ts';

const MIB = 1024 * 1024;
const RED = { r: 200, g: 30, b: 30 };

const plainImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: RED } });
const render = (bytes: Buffer, limits = {}) =>
  renderThumbnails(Readable.from([bytes]), new AbortController().signal, limits);

function assertRendered(result: RenderResult) {
  if ('failed' in result) throw new Error(`rendering failed: ${result.failed}`);
  return result;
}

/** An image whose left half is red, and whose right half is blue. */
const redAndBlue = (width: number, height: number) =>
  plainImage(width, height).composite([
    {
      input: { create: { width: Math.floor(width / 2), height, channels: 3, background: { r: 20, g: 20, b: 220 } } },
      left: Math.ceil(width / 2),
      top: 0,
    },
  ]);

const colorAt = async (image: Buffer, left: number, top: number) => {
  const [red = 0, , blue = 0] = await sharp(image).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return red > blue ? 'red' : 'blue';
};

describe('renderThumbnails', () => {
  it.each<[string, () => Promise<Buffer>]>([
    ['jpeg', () => plainImage(3_000, 2_000).jpeg().toBuffer()],
    ['png', () => plainImage(3_000, 2_000).png().toBuffer()],
    ['webp', () => plainImage(3_000, 2_000).webp().toBuffer()],
    ['gif', () => plainImage(3_000, 2_000).gif().toBuffer()],
    ['avif', () => plainImage(3_000, 2_000).avif({ effort: 0 }).toBuffer()],
    ['10-bit AVIF', () => plainImage(3_000, 2_000).avif({ effort: 0, bitdepth: 10 }).toBuffer()],
    ['tiff', () => plainImage(3_000, 2_000).tiff().toBuffer()],
    ['interlaced png', () => plainImage(3_000, 2_000).png({ progressive: true }).toBuffer()],
    ['progressive jpeg', () => plainImage(3_000, 2_000).jpeg({ progressive: true }).toBuffer()],
    ['interlaced gif', () => plainImage(3_000, 2_000).gif({ progressive: true }).toBuffer()],
    ['16-bit gray PNG', () => plainImage(3_000, 2_000).toColourspace('grey16').png().toBuffer()],
    ['CMYK JPEG', () => plainImage(3_000, 2_000).toColourspace('cmyk').jpeg().toBuffer()],
  ])('renders %s in both sizes', async (_kind, make) => {
    const { small, large } = assertRendered(await render(await make()));
    expect(small).toMatchObject({ width: 480, height: 320 });
    expect(large).toMatchObject({ width: 2_048, height: 1_365 });
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 320 });
    expect(await sharp(large.bytes).metadata()).toMatchObject({ format: 'webp', width: 2_048, height: 1_365 });
  });

  it('applies the orientation and removes all metadata', async () => {
    const photo = await redAndBlue(1_000, 600)
      .withExif({
        IFD0: { Make: 'Secretcam', Artist: 'Lena' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitude: '13/1 24/1 36/1' },
      })
      .withMetadata({ orientation: 6 })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><where>Secretplace</where></x:xmpmeta>')
      .jpeg()
      .toBuffer();
    const before = await sharp(photo).metadata();
    expect(before.orientation).toBe(6);
    expect(before.exif?.includes('Secretcam')).toBe(true);
    const { small, large } = assertRendered(await render(photo));
    for (const { bytes, width, height } of [small, large]) {
      const { exif, xmp, iptc, orientation } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, orientation }).toEqual({});
      expect(/Secret|Lena|GPS|Exif/.test(bytes.toString('latin1'))).toBe(false);
      expect(height).toBeGreaterThan(width);
      // Rotated clockwise by 90 degrees: left becomes top.
      expect(await colorAt(bytes, Math.floor(width / 2), 10)).toBe('red');
      expect(await colorAt(bytes, Math.floor(width / 2), height - 10)).toBe('blue');
    }
  });

  it('never enlarges an image', async () => {
    const { small, large } = assertRendered(await render(await plainImage(20, 10).png().toBuffer()));
    expect([small, large].map(({ width, height }) => [width, height])).toEqual([
      [20, 10],
      [20, 10],
    ]);
  });

  it('keeps the animation in the large size only', async () => {
    const frames = await Promise.all(
      [plainImage(600, 300), redAndBlue(600, 300)].map((frame) => frame.png().toBuffer()),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { small, large } = assertRendered(await render(gif));
    expect((await sharp(large.bytes).metadata()).pages).toBe(2);
    expect(large).toMatchObject({ width: 600, height: 300 });
    expect((await sharp(small.bytes).metadata()).pages ?? 1).toBe(1);
  });
});

describe('renderThumbnails with a malicious image', () => {
  const makeHugeImage = () =>
    sharp({ create: { width: 10_000, height: 9_900, channels: 4, background: '#8888' } })
      .png({ progressive: true })
      .toBuffer();

  it.each<[string, () => Buffer | Promise<Buffer>, object, string]>([
    ['900 million pixels in a few bytes', () => makeHugeImageHead(), {}, 'too-large'],
    ['more memory than allowed', makeHugeImage, {}, 'memory'],
    ['more time than allowed', makeHugeImage, { timeMs: 150, memoryBytes: 2_048 * MIB }, 'time'],
    ['a larger file than allowed', () => plainImage(100, 100).png().toBuffer(), { fileBytes: 100 }, 'too-large'],
    ['a truncated PNG', async () => (await redAndBlue(2_000, 2_000).png().toBuffer()).subarray(0, -400), {}, 'damaged'],
    [
      'a truncated AVIF',
      async () => truncateImage(await redAndBlue(900, 900).avif({ effort: 0 }).toBuffer()),
      {},
      'damaged',
    ],
    [
      'a truncated progressive JPEG',
      async () => truncateImage(await redAndBlue(2_000, 2_000).jpeg({ progressive: true }).toBuffer()),
      {},
      'damaged',
    ],
    ['a signature without an image', () => Buffer.from('\x89PNG\r\n\x1a\nnothing', 'latin1'), {}, 'damaged'],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), {}, 'damaged'],
    ['an empty file', () => Buffer.alloc(0), {}, 'damaged'],
  ])('fails without affecting the service: %s', async (_label, make, limits, failed) => {
    const bytes = await make();
    const before = process.memoryUsage.rss();
    expect(await render(bytes, limits)).toEqual({ failed });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MIB);
  });
});

const truncateImage = (bytes: Buffer) => bytes.subarray(0, -Math.ceil(bytes.length / 3));

/** The header of a PNG of 30,000 by 30,000 pixels, with a correct checksum. */
async function makeHugeImageHead(): Promise<Buffer> {
  const small = await plainImage(30, 30).png().toBuffer();
  small.writeUInt32BE(30_000, 16);
  small.writeUInt32BE(30_000, 20);
  const { crc32 } = await import('node:zlib');
  small.writeUInt32BE(crc32(small.subarray(12, 29)), 29);
  return small;
}
