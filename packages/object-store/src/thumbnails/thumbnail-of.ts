import type { Thumbnail, ThumbnailErrorReason } from '@atrium/proto-events/preview';
import type { ObjectStore } from '../s3/object-store.ts';
import type { ThumbnailRecord } from './picture-records.ts';
import { PICTURE_TYPE } from './pictures.ts';

type Pictured = { pictures?: ThumbnailRecord | null; file_lost?: boolean };
type ThumbnailFields = { thumbnail?: Thumbnail | null; thumbnailError?: ThumbnailErrorReason };

/**
 * The thumbnail in a response: its link and dimensions, null while it is being rendered, or why there is none. Empty
 * for other files and for images lost before rendering; without a link while the object store is unavailable.
 */
export function thumbnailOf(store: Pick<ObjectStore, 'link'>, { pictures, file_lost }: Pictured): ThumbnailFields {
  if (!pictures) return {};
  if (pictures.state === 'pending') return file_lost ? {} : { thumbnail: null };
  const { thumbnail_key: objectKey, width, height } = pictures;
  if (!objectKey || !width || !height) return { thumbnailError: toErrorReason(pictures) };
  const disposition = 'inline; filename="thumbnail.webp"';
  const url = store.link({ objectKey, contentType: PICTURE_TYPE, disposition, isCacheable: true });
  return url === undefined ? {} : { thumbnail: { url, width, height } };
}

/** The reason for users, who need not distinguish memory, time, and pixels. */
export const toErrorReason = ({ reason }: Pick<ThumbnailRecord, 'reason'>): ThumbnailErrorReason =>
  reason === 'damaged' ? 'damaged' : 'too-large';
