/** Sizes rendered from an image: small for lists, and large for viewing. Both without metadata. */
export type ThumbnailSize = 'thumbnail' | 'preview';

export const SIDES: Readonly<Record<ThumbnailSize, number>> = { thumbnail: 480, preview: 2_048 };

export const THUMBNAIL_TYPE = 'image/webp';

/** The key of a thumbnail, derived from that of the object, so that rendering twice yields one object. */
export const thumbnailKey = (objectKey: string, size: ThumbnailSize): string => `${objectKey}.${SIDES[size]}.webp`;

/** A rendered image; dimensions in pixels. */
export type RenderedImage = { bytes: Buffer; width: number; height: number };

/** Why an image has no thumbnail, permanently. */
export type ThumbnailFailureReason =
  /** It exceeded the memory limit of a worker. */
  | 'memory'
  /** It exceeded the time limit of a worker. */
  | 'time'
  /** Its content is not an image of a supported type. */
  | 'damaged'
  /** It exceeds the limit of bytes or pixels. */
  | 'too-large'
  /** Its workers crashed repeatedly. */
  | 'killed';

export type RenderResult = Record<ThumbnailSize, RenderedImage> | { failed: Exclude<ThumbnailFailureReason, 'killed'> };

/** Exit codes of a worker, so that the parent process need not trust its output. */
export const EXIT = { rendered: 0, damaged: 41, 'too-large': 43 } as const;
