import { imageSize } from 'image-size';

/** Pixels of an image as it is shown. */
export type ImageSize = { width: number; height: number };

/** How many of the first bytes are looked at: what cameras write before the size of a JPEG is seldom longer. */
export const IMAGE_HEAD_BYTES = 256 * 1024;

/** What browsers show. Of others nobody needs to know how large they are, and fewer readers are fewer faults. */
const SHOWN = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** No browser shows more, and no honest file says so. */
const MAX_SIDE_PIXELS = 100_000;

/** From this orientation on an image lies on its side (EXIF 2.32, tag 0x0112). */
const LYING = 5;

/**
 * Reads how large an image is from its first bytes, turned as its EXIF says; undefined where that cannot be told. Bytes are anybody's, so
 * nothing that is wrong with them throws.
 */
export function readImageSize(head: Uint8Array, mimetype: string): ImageSize | undefined {
  if (!SHOWN.has(mimetype)) return undefined;
  try {
    const { width, height, orientation = 1 } = imageSize(head.subarray(0, IMAGE_HEAD_BYTES));
    if (![width, height].every((side) => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE_PIXELS))
      return undefined;
    return orientation >= LYING && orientation <= 8 ? { width: height, height: width } : { width, height };
  } catch {
    return undefined;
  }
}
