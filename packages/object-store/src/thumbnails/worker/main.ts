import { Socket } from 'node:net';
import sharp, { type Sharp } from 'sharp';
import { EXIT, MAX_SIDES, type RenderedImage, type ThumbnailSize } from '../rendered-images.ts';

// Worker program: reads an image from standard input, and writes to descriptor 3 a line of JSON with the dimensions and
// lengths of its thumbnails, followed by their bytes. Started only by render-thumbnails.ts.

/** More pixels than any camera has; for animations, all frames count. */
const MAX_PIXELS = 100_000_000;
/** Animations up to this total of all frames are kept; larger ones become still images. */
const MAX_ANIMATION_PIXELS = 40_000_000;

/** The file is standard input: libvips opens it itself, and reads no more of it than it needs. */
const FILE = '/proc/self/fd/0';

/** Enabled libvips loaders; SVG, PDF, and other libraries are too complex for untrusted data. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`);

class ImageTooLargeError extends Error {}

/**
 * Renders both sizes in sRGB, without metadata such as location, camera, or author. The EXIF orientation is applied
 * except to animations.
 */
async function renderBothSizes(): Promise<Record<ThumbnailSize, RenderedImage>> {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  const options = { sequentialRead: true, limitInputPixels: MAX_PIXELS, failOn: 'error' } as const;
  const metadata = await sharp(FILE, { ...options, limitInputPixels: false }).metadata();
  const { width = 0, height = 0, pages = 1, format } = metadata;
  if (width * height > MAX_PIXELS) throw new ImageTooLargeError();
  const { data, info } = await resizeTo(sharp(FILE, options).autoOrient(), 'large')
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const still = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const isAnimated = pages > 1 && format !== 'tiff' && pages * width * height <= MAX_ANIMATION_PIXELS;
  return {
    small: await toWebp(resizeTo(still(), 'small')),
    large: await toWebp(isAnimated ? resizeTo(sharp(FILE, { ...options, animated: true }), 'large') : still()),
  };
}

const resizeTo = (image: Sharp, size: ThumbnailSize) =>
  image.resize({ width: MAX_SIDES[size], height: MAX_SIDES[size], fit: 'inside', withoutEnlargement: true });

async function toWebp(image: Sharp): Promise<RenderedImage> {
  const { data, info } = await image.webp({ quality: 80, effort: 3 }).toBuffer({ resolveWithObject: true });
  // Animation frames are stacked vertically.
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height };
}

const channel = new Socket({ fd: 3, readable: true, writable: true });
// The service sends nothing, so the channel closes only when the service has exited.
channel.on('close', () => process.exit(EXIT.damaged)).on('error', () => process.exit(EXIT.damaged));
channel.resume();

try {
  const { small, large } = await renderBothSizes();
  const head = [small, large].map(({ width, height, bytes }) => ({ width, height, length: bytes.length }));
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  channel.write(Buffer.concat([line, small.bytes, large.bytes]), () => process.exit(EXIT.rendered));
} catch (error) {
  process.exit(error instanceof ImageTooLargeError ? EXIT['too-large'] : EXIT.damaged);
}
