/** Small thumbnails are for lists, and large ones for viewing. Both are without metadata. */
export type ThumbnailSize = 'small' | 'large';

/** Maximum width and height, in pixels. */
export const MAX_SIDES: Readonly<Record<ThumbnailSize, number>> = { small: 480, large: 2_048 };

export const THUMBNAIL_TYPE = 'image/webp';

/** Derives the key from that of the image, so that rendering twice yields one object. */
export const thumbnailKey = (objectKey: string, size: ThumbnailSize): string => `${objectKey}.${MAX_SIDES[size]}.webp`;

export type RenderedImage = { bytes: Buffer; width: number; height: number };

export type ThumbnailFailureReason =
  | 'memory'
  | 'time'
  /** Its content is not an image of a supported type. */
  | 'damaged'
  | 'too-large'
  /** Its workers crashed repeatedly. */
  | 'killed';

export type RenderResult = Record<ThumbnailSize, RenderedImage> | { failed: Exclude<ThumbnailFailureReason, 'killed'> };

/** Exit codes, so that the parent process need not trust the worker's output. */
export const EXIT = { rendered: 0, damaged: 41, 'too-large': 43 } as const;
