import { findLimits } from '@atrium/object-store/objects/quota';
import type { Deps } from '../deps.ts';

/** What a browser is told before it sends. */
export async function getDocumentLimits({ db, quotas, maxUploadBytes }: Deps, userId: string) {
  return { maxFileBytes: maxUploadBytes, ...(await findLimits(db, { quotas, userId })) };
}
