import sharp, { type OutputInfo, type Sharp } from 'sharp';
import { type Picture, type PictureSize, SIDES } from '../pictures.ts';

/** More pixels than any camera has; for animations, all frames count. */
const MAX_PIXELS = 100_000_000;
/** Animations up to this total are kept; larger ones become still images. */
const MAX_ANIMATION_PIXELS = 40_000_000;

/** The file is standard input: libvips opens it itself, and reads no more of it than it needs. */
const FILE = '/proc/self/fd/0';

/** Enabled libvips loaders; SVG, PDF, and other libraries are too complex for untrusted data. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`);

export class ImageTooLargeError extends Error {}

/**
 * Renders an image in both sizes, with EXIF orientation applied, in sRGB, and without any metadata: no location,
 * camera, or author.
 */
export async function draw(): Promise<Record<PictureSize, Picture>> {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const options = { sequentialRead: true, limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
  const {
    width = 0,
    height = 0,
    pages = 1,
    format,
  } = await sharp(FILE, { ...options, limitInputPixels: false }).metadata();
  if (width * height > MAX_PIXELS) throw new ImageTooLargeError();
  const { data, info } = await fitted(sharp(FILE, options).autoOrient(), 'preview')
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const still = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const isMoving = pages > 1 && format !== 'tiff' && pages * width * height <= MAX_ANIMATION_PIXELS;
  return {
    thumbnail: await toPicture(fitted(still(), 'thumbnail')),
    preview: await toPicture(isMoving ? fitted(sharp(FILE, { ...options, animated: true }), 'preview') : still()),
  };
}

const fitted = (image: Sharp, size: PictureSize) =>
  image.resize({ width: SIDES[size], height: SIDES[size], fit: 'inside', withoutEnlargement: true });

async function toPicture(image: Sharp): Promise<Picture> {
  const { data, info } = await image.webp({ quality: 80, effort: 3 }).toBuffer({ resolveWithObject: true });
  return { bytes: data, ...sidesOf(info) };
}

/** Animation frames are stacked vertically. */
const sidesOf = ({ width, height, pageHeight }: OutputInfo) => ({ width, height: pageHeight ?? height });
