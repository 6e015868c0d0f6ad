import { requestContext } from '@atrium/service-kit/http/request-context';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Deps } from '../deps.ts';
import { insertResetRequest } from './reset-repository.ts';

/**
 * Takes down that a link was asked for. Whether there is such a person is looked at afterwards, by `answerResetRequest`: so the
 * answer is the same and takes the same time for everybody, and what was accepted survives the end of the process.
 */
export async function requestReset({ db, wakeResets }: Deps, email: string): Promise<void> {
  await insertResetRequest(db, email, requestContext.getStore()?.requestId ?? newId());
  wakeResets();
}
