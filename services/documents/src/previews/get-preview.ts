import { findPictures, wantImage } from '@atrium/object-store/pictures/picture-records';
import { PICTURE_TYPE } from '@atrium/object-store/pictures/pictures';
import { attachmentOf, inlineOf } from '@atrium/object-store/receiving/attachment';
import { STORAGE_AWAY } from '@atrium/object-store/s3/object-store';
import type { LinkTarget } from '@atrium/object-store/s3/presign';
import type { Preview } from '@atrium/proto-events/http/document-previews';
import { mayShowAlone, previewKind, shownType } from '@atrium/proto-events/preview-kind';
import { unavailable } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { requireReadable, requireVersion } from '../versions/read-versions.ts';

/** A link to look at the present file of a document, or at an earlier one. Nothing is counted: who looks has not taken it along. */
export async function getPreview(
  deps: Deps,
  caller: Caller,
  { id, version }: { id: string; version?: number | undefined },
): Promise<Preview> {
  const document = await requireReadable(deps, caller, id);
  const file = version === undefined ? document : await requireVersion(deps, id, version);
  const shown = { ...file, name: document.name };
  return previewKind(file.mimetype) === 'image' ? showImage(deps, shown) : showFile(deps, shown);
}

type Shown = { name: string; object_key: string; extension: string; mimetype: string; file_lost: boolean };

function showFile(deps: Deps, { name, object_key: objectKey, file_lost, ...file }: Shown): Preview {
  const contentType = shownType(file.mimetype);
  if (contentType === undefined || file_lost) return { state: 'none' };
  const disposition = mayShowAlone(file) ? inlineOf(name, file.extension) : attachmentOf(name, file.extension);
  return show(deps, { objectKey, contentType, disposition });
}

/** The large picture that is made of it, which says neither where nor by what it was taken; whoever waits for it comes first. */
async function showImage(deps: Deps, { name, object_key: objectKey }: Shown): Promise<Preview> {
  const pictures = await findPictures(deps.db, objectKey);
  if (pictures?.state === 'pending') {
    deps.store.require();
    await wantImage(deps.db, objectKey);
    deps.pictures.wake();
    return { state: 'pending' };
  }
  if (!pictures?.preview_key) return { state: 'none' };
  const disposition = inlineOf(`${name}.webp`, 'webp');
  return show(deps, { objectKey: pictures.preview_key, contentType: PICTURE_TYPE, disposition, isKept: true });
}

function show({ store }: Deps, target: LinkTarget): Preview {
  const url = store.link(target);
  if (url === undefined) throw unavailable(STORAGE_AWAY);
  return { state: 'ready', url, mimetype: target.contentType };
}
