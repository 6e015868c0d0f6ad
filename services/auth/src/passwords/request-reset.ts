import { requestContext } from '@atrium/service-kit/observability/request-context';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { insertResetRequest } from './reset-repository.ts';

/**
 * Accounts are looked up later by `processResetRequest`, so that the response is the same and equally fast for any email, and survives the
 * end of the process.
 */
export async function requestReset({ db, wakeResets }: Deps, email: string): Promise<void> {
  await insertResetRequest(db, email, requestContext.getStore()?.requestId ?? newId());
  wakeResets();
}
