/** What is made of an image: small for a list, and large to be looked at. Neither says where or by what it was taken. */
export type PictureSize = 'thumbnail' | 'preview';

/** The longest side in pixels. */
export const SIDES: Readonly<Record<PictureSize, number>> = { thumbnail: 480, preview: 2_048 };

export const PICTURE_TYPE = 'image/webp';

/** The key of a picture of an object: told by that of the object, so that one made twice is one. */
export const pictureKey = (objectKey: string, size: PictureSize): string => `${objectKey}.${SIDES[size]}.webp`;

/** A made picture; sides in pixels. */
export type Picture = { bytes: Buffer; width: number; height: number };

/** Why there is no picture of an image, whatever is tried again. */
export type ThumbnailFailure =
  /** It wanted more memory than a worker may have. */
  | 'memory'
  /** It was not drawn within its time. */
  | 'time'
  /** Its bytes are no image of the kinds that are read. */
  | 'damaged'
  /** It has more bytes or pixels than are looked at. */
  | 'too-large'
  /** Those who began to draw it did not live to tell. */
  | 'killed';

export type RenderResult = Record<PictureSize, Picture> | { failed: Exclude<ThumbnailFailure, 'killed'> };

/** How a worker ends, so that the process which began it knows without trusting a word of what it wrote. */
export const EXIT = { drawn: 0, damaged: 41, 'too-large': 43 } as const;
