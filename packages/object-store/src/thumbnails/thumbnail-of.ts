import type { Thumbnail, ThumbnailErrorReason } from '@atrium/proto-events/preview';
import type { ObjectStore } from '../s3/object-store.ts';
import type { ThumbnailRecord } from './picture-records.ts';
import { PICTURE_TYPE } from './pictures.ts';

type Pictured = { pictures?: ThumbnailRecord | null; file_lost?: boolean };
type Answer = { thumbnail?: Thumbnail | null; thumbnailError?: ThumbnailErrorReason };

/**
 * What an answer says of the small picture of an image: its link and sides, null while it is being made, or why none is made. Nothing of
 * what is no image or was lost before it was drawn, and nothing of a link while the object store is away.
 */
export function thumbnailOf(store: Pick<ObjectStore, 'link'>, { pictures, file_lost }: Pictured): Answer {
  if (!pictures) return {};
  if (pictures.state === 'pending') return file_lost ? {} : { thumbnail: null };
  const { thumbnail_key: objectKey, width, height } = pictures;
  if (!objectKey || !width || !height) return { thumbnailError: toErrorReason(pictures) };
  const disposition = 'inline; filename="thumbnail.webp"';
  const url = store.link({ objectKey, contentType: PICTURE_TYPE, disposition, isKept: true });
  return url === undefined ? {} : { thumbnail: { url, width, height } };
}

/** As people are told it: whether it ran out of memory, of time or of pixels is one to them. */
export const toErrorReason = ({ reason }: Pick<ThumbnailRecord, 'reason'>): ThumbnailErrorReason =>
  reason === 'damaged' ? 'damaged' : 'too-large';
