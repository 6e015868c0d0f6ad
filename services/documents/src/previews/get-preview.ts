import { createPreview } from '@atrium/object-store/thumbnails/create-preview';
import type { Preview } from '@atrium/proto-events/preview';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { requireReadable } from '../documents/require-readable.ts';
import { requireVersion } from '../versions/read-versions.ts';

/** A link to view the current or an earlier file. Viewing does not count as a download. */
export async function getPreview(
  deps: Deps,
  caller: Caller,
  { id, version }: { id: string; version?: number | undefined },
): Promise<Preview> {
  const document = await requireReadable(deps.db, caller, id);
  const file = version === undefined ? document : await requireVersion(deps, id, version);
  return createPreview(deps, { ...file, name: document.name });
}
