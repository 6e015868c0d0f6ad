import { PICTURE_TYPE } from '@atrium/object-store/pictures/pictures';
import type { ObjectStore } from '@atrium/object-store/s3/object-store';
import type { Document } from '@atrium/proto-events/http/documents';
import type { ThumbnailFacts } from '../documents/document-repository.ts';

type Pictured = { pictures?: ThumbnailFacts | null };

/** What an answer says of a document's small picture: its link and sides, null while it is being made, nothing where there is none. */
export function thumbnailOf(store: Pick<ObjectStore, 'link'>, { pictures }: Pictured): Pick<Document, 'thumbnail'> {
  if (pictures?.state === 'pending') return { thumbnail: null };
  const { key, width, height } = pictures ?? {};
  if (!key || !width || !height) return {};
  const url = store.link({
    objectKey: key,
    contentType: PICTURE_TYPE,
    disposition: 'inline; filename="thumbnail.webp"',
    isKept: true,
  });
  return url === undefined ? {} : { thumbnail: { url, width, height } };
}
