import { imageSize } from 'image-size';

export type ImageSize = { width: number; height: number };

/** Maximum bytes to read: camera metadata before the size of a JPEG is rarely longer. */
export const IMAGE_HEAD_BYTES = 256 * 1024;

/** Types that browsers display. The size of others is irrelevant, and fewer parsers mean fewer bugs. */
const DISPLAYED_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

/** The limit of browsers; larger values are implausible. */
const MAX_SIDE_PIXELS = 100_000;

/** Orientations from here on swap width and height (EXIF 2.32, tag 0x0112). */
const FIRST_SIDEWAYS = 5;

/** Returns the size in pixels after EXIF orientation, or undefined. Never throws, because the bytes are untrusted. */
export function parseImageSize(head: Uint8Array, mimetype: string): ImageSize | undefined {
  if (!DISPLAYED_TYPES.has(mimetype)) return undefined;
  try {
    const { width, height, orientation = 1 } = imageSize(head.subarray(0, IMAGE_HEAD_BYTES));
    if (![width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE_PIXELS))
      return undefined;
    return orientation >= FIRST_SIDEWAYS && orientation <= 8 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}
