import { findRoom } from '@atrium/object-store/objects/quota';
import type { Deps } from '../deps.ts';

/** What a browser is told before it sends. */
export async function getDocumentLimits({ db, quotas, maxUploadBytes }: Deps, userId: string) {
  const { usedBytes, personLeft, workspaceLeft } = await findRoom(db, { quotas, userId });
  const available = Math.min(personLeft, workspaceLeft);
  return {
    maxFileBytes: maxUploadBytes,
    usedBytes,
    quotaBytes: quotas.personBytes === 0 ? null : quotas.personBytes,
    availableBytes: available === Number.POSITIVE_INFINITY ? null : available,
  };
}
