import type { Preview } from '@atrium/proto-events/preview';
import { canServeInline, previewContentType, previewKind } from '@atrium/proto-events/preview-kind';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { attachmentOf, inlineOf } from '../file-names/content-disposition.ts';
import { type ObjectStore, STORAGE_UNAVAILABLE } from '../s3/object-store.ts';
import type { LinkTarget } from '../s3/presign.ts';
import { findPictures, prioritizeImage } from './picture-records.ts';
import { PICTURE_TYPE } from './pictures.ts';
import { toErrorReason } from './thumbnail-of.ts';
import type { ThumbnailWorker } from './thumbnail-worker.ts';

type Deps = { db: Db; store: ObjectStore; pictures: Pick<ThumbnailWorker, 'wake'> };

export type PreviewableFile = {
  name: string;
  object_key: string;
  extension: string;
  mimetype: string;
  file_lost: boolean;
};

/** A link to view a file, for an authorized user. Throws `unavailable` while the object store is unavailable. */
export async function createPreview(deps: Deps, file: PreviewableFile): Promise<Preview> {
  return previewKind(file.mimetype) === 'image' ? previewImage(deps, file) : previewOriginal(deps, file);
}

function previewOriginal(deps: Deps, { name, object_key: objectKey, file_lost, ...file }: PreviewableFile): Preview {
  const contentType = previewContentType(file.mimetype);
  if (contentType === undefined || file_lost) return { state: 'none' };
  const disposition = canServeInline(file) ? inlineOf(name, file.extension) : attachmentOf(name, file.extension);
  return show(deps, { objectKey, contentType, disposition });
}

/** The rendered preview, without metadata such as location or camera; requested images are rendered first. */
async function previewImage(deps: Deps, { name, object_key: objectKey, file_lost }: PreviewableFile): Promise<Preview> {
  const pictures = await findPictures(deps.db, objectKey);
  if (pictures?.state === 'pending') {
    if (file_lost) return { state: 'none' };
    deps.store.require();
    await prioritizeImage(deps.db, objectKey);
    deps.pictures.wake();
    return { state: 'pending' };
  }
  if (!pictures) return { state: 'none' };
  if (!pictures.preview_key) return { state: 'none', reason: toErrorReason(pictures) };
  const disposition = inlineOf(`${name}.webp`, 'webp');
  return show(deps, { objectKey: pictures.preview_key, contentType: PICTURE_TYPE, disposition, isCacheable: true });
}

function show({ store }: Deps, target: LinkTarget): Preview {
  const url = store.link(target);
  if (url === undefined) throw unavailable(STORAGE_UNAVAILABLE);
  return { state: 'ready', url, mimetype: target.contentType };
}
