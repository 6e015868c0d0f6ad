import { findLimits } from '@atrium/object-store/objects/quota';
import type { Deps } from '../deps.ts';

/** Limits shown before an upload. */
export async function getDocumentLimits({ db, quotas, maxUploadBytes }: Deps, userId: string) {
  return { maxFileBytes: maxUploadBytes, ...(await findLimits(db, { quotas, userId })) };
}
