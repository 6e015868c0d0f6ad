import { attachmentOf, inlineOf } from '@atrium/object-store/receiving/attachment';
import { STORAGE_AWAY } from '@atrium/object-store/s3/object-store';
import type { Preview } from '@atrium/proto-events/http/document-previews';
import { mayShowAlone, shownType } from '@atrium/proto-events/preview-kind';
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
  const contentType = shownType(file.mimetype);
  if (contentType === undefined || file.file_lost) return { state: 'none' };
  const disposition = mayShowAlone(file) ? inlineOf : attachmentOf;
  const url = deps.store.link({
    objectKey: file.object_key,
    contentType,
    disposition: disposition(document.name, file.extension),
  });
  if (url === undefined) throw unavailable(STORAGE_AWAY);
  return { state: 'ready', url, mimetype: contentType };
}
