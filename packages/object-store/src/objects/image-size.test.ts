import { describe, expect, it } from '@jest/globals';
import { IMAGE_HEAD_BYTES, parseImageSize } from './image-size.ts';

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  bytes.write('IHDR', 12);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const segment = (marker: number, body: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);
const frame = (width: number, height: number) =>
  segment(0xc0, Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]));
const exif = (orientation: number) => {
  const tiff = [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  return segment(0xe1, Buffer.from([...Buffer.from('Exif\0\0'), ...tiff]));
};
/** Other segments precede the frame header, as cameras and programs write it. */
const jpeg = (...parts: Buffer[]) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), segment(0xdb, Buffer.alloc(65)), ...parts]);

describe('parseImageSize', () => {
  it('reads the size from the beginning of a file', () => {
    expect(parseImageSize(png(640, 480), 'image/png')).toEqual({ width: 640, height: 480 });
    expect(parseImageSize(jpeg(frame(640, 480)), 'image/jpeg')).toEqual({ width: 640, height: 480 });
  });

  it.each([
    [1, { width: 640, height: 480 }],
    [3, { width: 640, height: 480 }],
    [6, { width: 480, height: 640 }],
    [8, { width: 480, height: 640 }],
  ])('applies the EXIF orientation: %i', (orientation, size) => {
    expect(parseImageSize(jpeg(exif(orientation), frame(640, 480)), 'image/jpeg')).toEqual(size);
  });

  it('finds the size after long camera metadata', () => {
    const blocks = Array.from({ length: 3 }, () => segment(0xe2, Buffer.alloc(65_000, 'x')));
    expect(parseImageSize(jpeg(exif(6), ...blocks, frame(640, 480)), 'image/jpeg')).toEqual({
      width: 480,
      height: 640,
    });
  });

  it('returns undefined if the size is missing or implausible', () => {
    expect(parseImageSize(png(640, 480), 'image/x-icon')).toBeUndefined();
    expect(parseImageSize(png(640, 480), 'text/plain')).toBeUndefined();
    expect(parseImageSize(png(0, 480), 'image/png')).toBeUndefined();
    expect(parseImageSize(png(0xffffffff, 480), 'image/png')).toBeUndefined();
    expect(parseImageSize(Buffer.from('GIF'), 'image/gif')).toBeUndefined();
    expect(parseImageSize(Buffer.alloc(0), 'image/jpeg')).toBeUndefined();
  });

  it('takes little time for any bytes', () => {
    // Generates the same bytes in each run (linear congruential generator of Numerical Recipes).
    let state = 20_261_125;
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    };
    const heads = [
      jpeg(exif(6)),
      png(1, 1),
      Buffer.from('GIF89a'),
      Buffer.from('RIFF....WEBPVP8X'),
      Buffer.from('....ftypavif'),
    ];
    let slowest = 0;
    for (let round = 0; round < 40; round += 1) {
      const bytes = Buffer.alloc(IMAGE_HEAD_BYTES, round % 4 === 0 ? 0 : undefined);
      if (round % 4 === 1) bytes.fill(0xff);
      if (round % 4 > 1) for (let at = 0; at < bytes.length; at += 1) bytes[at] = next();
      bytes.set(heads[round % heads.length] ?? []);
      for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']) {
        const startedAt = performance.now();
        parseImageSize(bytes, type);
        slowest = Math.max(slowest, performance.now() - startedAt);
      }
    }
    // Usually milliseconds; an infinite loop or quadratic time takes many seconds on any machine.
    expect(slowest).toBeLessThan(2_000);
  });
});
