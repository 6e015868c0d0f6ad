import type { Preview } from '@atrium/proto-events/preview';
import { mayShowAlone, previewKind, shownType } from '@atrium/proto-events/preview-kind';
import { unavailable } from '@atrium/service-kit/http/app-error';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type ObjectStore, STORAGE_AWAY } from '../s3/object-store.ts';
import type { LinkTarget } from '../s3/presign.ts';
import { attachmentOf, inlineOf } from '../uploads/attachment.ts';
import { findPictures, wantImage } from './picture-records.ts';
import { PICTURE_TYPE } from './pictures.ts';
import { reasonOf } from './thumbnail-of.ts';
import type { ThumbnailWorker } from './thumbnail-worker.ts';

type Deps = { db: Db; store: ObjectStore; pictures: Pick<ThumbnailWorker, 'wake'> };

/** A file that somebody looks at, by its name. */
export type LookedAt = { name: string; object_key: string; extension: string; mimetype: string; file_lost: boolean };

/** A link to look at a file, for somebody who may. Throws `unavailable` while the object store is away. */
export async function createPreview(deps: Deps, file: LookedAt): Promise<Preview> {
  return previewKind(file.mimetype) === 'image' ? lookAtImage(deps, file) : lookAtBytes(deps, file);
}

function lookAtBytes(deps: Deps, { name, object_key: objectKey, file_lost, ...file }: LookedAt): Preview {
  const contentType = shownType(file.mimetype);
  if (contentType === undefined || file_lost) return { state: 'none' };
  const disposition = mayShowAlone(file) ? inlineOf(name, file.extension) : attachmentOf(name, file.extension);
  return show(deps, { objectKey, contentType, disposition });
}

/** The large picture that is made of it, which says neither where nor by what it was taken; whoever waits for it comes first. */
async function lookAtImage(deps: Deps, { name, object_key: objectKey, file_lost }: LookedAt): Promise<Preview> {
  const pictures = await findPictures(deps.db, objectKey);
  if (pictures?.state === 'pending') {
    if (file_lost) return { state: 'none' };
    deps.store.require();
    await wantImage(deps.db, objectKey);
    deps.pictures.wake();
    return { state: 'pending' };
  }
  if (!pictures) return { state: 'none' };
  if (!pictures.preview_key) return { state: 'none', reason: reasonOf(pictures) };
  const disposition = inlineOf(`${name}.webp`, 'webp');
  return show(deps, { objectKey: pictures.preview_key, contentType: PICTURE_TYPE, disposition, isKept: true });
}

function show({ store }: Deps, target: LinkTarget): Preview {
  const url = store.link(target);
  if (url === undefined) throw unavailable(STORAGE_AWAY);
  return { state: 'ready', url, mimetype: target.contentType };
}
