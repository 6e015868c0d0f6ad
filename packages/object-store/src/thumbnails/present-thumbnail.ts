import type { Preview, Thumbnail, ThumbnailErrorReason } from '@atrium/proto-events/http/previews';
import { canServeInline, previewContentType, previewKind } from '@atrium/proto-events/preview-kind';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { attachmentDisposition, inlineDisposition } from '../objects/download-link.ts';
import { type ObjectStore, STORAGE_UNAVAILABLE } from '../s3/object-store.ts';
import type { LinkTarget } from '../s3/presign.ts';
import { THUMBNAIL_TYPE } from './rendered-images.ts';
import type { ThumbnailQueue } from './thumbnail-queue.ts';
import { findThumbnail, prioritizeImage, type ThumbnailRecord } from './thumbnail-records.ts';

type Deps = { db: Db; store: ObjectStore; thumbnailQueue: Pick<ThumbnailQueue, 'wake'> };

type PreviewableFile = {
  name: string;
  object_key: string;
  extension: string;
  mimetype: string;
  file_lost: boolean;
};

/** The caller must be authorized. Throws `unavailable` while the object store is unavailable. */
export async function createPreview(deps: Deps, file: PreviewableFile): Promise<Preview> {
  return previewKind(file.mimetype) === 'image' ? previewImage(deps, file) : previewOriginal(deps, file);
}

function previewOriginal(deps: Deps, { name, object_key: objectKey, file_lost, ...file }: PreviewableFile): Preview {
  const contentType = previewContentType(file.mimetype);
  if (contentType === undefined || file_lost) return { state: 'none' };
  const disposition = canServeInline(file)
    ? inlineDisposition(name, file.extension)
    : attachmentDisposition(name, file.extension);
  return presentReady(deps, { objectKey, contentType, disposition });
}

async function previewImage(deps: Deps, { name, object_key: objectKey, file_lost }: PreviewableFile): Promise<Preview> {
  const thumbnail = await findThumbnail(deps.db, objectKey);
  if (thumbnail?.state === 'pending') {
    if (file_lost) return { state: 'none' };
    deps.store.assertAvailable();
    await prioritizeImage(deps.db, objectKey);
    deps.thumbnailQueue.wake();
    return { state: 'pending' };
  }
  if (!thumbnail) return { state: 'none' };
  if (!thumbnail.large_key) return { state: 'none', reason: toErrorReason(thumbnail) };
  const disposition = inlineDisposition(`${name}.webp`, 'webp');
  return presentReady(deps, {
    objectKey: thumbnail.large_key,
    contentType: THUMBNAIL_TYPE,
    disposition,
    isCacheable: true,
  });
}

function presentReady({ store }: Deps, target: LinkTarget): Preview {
  const url = store.link(target);
  if (url === undefined) throw unavailable(STORAGE_UNAVAILABLE);
  return { state: 'ready', url, mimetype: target.contentType };
}

type WithThumbnail = { thumbnail?: ThumbnailRecord | null; file_lost?: boolean };
type ThumbnailFields = { thumbnail?: Thumbnail | null; thumbnailError?: ThumbnailErrorReason };

/**
 * Returns a null thumbnail while it is being rendered, and no fields for files that are not images, for images lost
 * before rendering, and for rendered ones while the object store is unavailable.
 */
export function presentThumbnail(
  store: Pick<ObjectStore, 'link'>,
  { thumbnail, file_lost }: WithThumbnail,
): ThumbnailFields {
  if (!thumbnail) return {};
  if (thumbnail.state === 'pending') return file_lost ? {} : { thumbnail: null };
  const { small_key: objectKey, width, height } = thumbnail;
  if (!objectKey || !width || !height) return { thumbnailError: toErrorReason(thumbnail) };
  const disposition = 'inline; filename="thumbnail.webp"';
  const url = store.link({ objectKey, contentType: THUMBNAIL_TYPE, disposition, isCacheable: true });
  return url === undefined ? {} : { thumbnail: { url, width, height } };
}

const toErrorReason = ({ reason }: Pick<ThumbnailRecord, 'reason'>): ThumbnailErrorReason =>
  reason === 'damaged' ? 'damaged' : 'too-large';
