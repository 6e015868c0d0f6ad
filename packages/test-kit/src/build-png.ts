import { crc32, deflateSync } from 'node:zlib';

type Options = {
  width: number;
  height: number;
  shade?: number;
};

/** Builds an image with a gradient from light to dark (PNG specification, sections 5 and 11). Sizes are in pixels. */
export function buildPng({ width, height, shade = 128 }: Options): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per channel of red, green, and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const scanline = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) scanline.set([255 - Math.round((x / width) * 160), shade, 200], 1 + x * 3);
  const pixels = Buffer.concat(Array.from({ length: height }, () => scanline));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typeAndData.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(typeAndData, 4);
  framed.writeUInt32BE(crc32(typeAndData), typeAndData.length + 4);
  return framed;
}
