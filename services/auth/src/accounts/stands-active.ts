import { isActive } from '@atrium/service-kit/directory/active-people';
import { unavailable } from '@atrium/service-kit/http/app-error';
import type { Deps } from '../deps.ts';
import type { Account } from './account-repository.ts';
import { awaitActive } from './await-active.ts';

const JUST_MS = 60_000;

/**
 * Whether an account that has been accepted is an active person's. The directory is what knows; it may be behind somebody who has just
 * accepted an invitation, and is waited for then. Throws `unavailable` with this message where it does not know the person.
 */
export async function standsActive(
  { directory }: Pick<Deps, 'directory'>,
  { id, activated_at }: Pick<Account, 'id' | 'activated_at'>,
  message: string,
): Promise<boolean> {
  const known = directory.user(id);
  if (isActive(known)) return true;
  const isBehind = !known || (activated_at !== null && activated_at.getTime() > Date.now() - JUST_MS);
  if (isBehind && (await awaitActive(directory, id))) return true;
  if (!directory.user(id)) throw unavailable(message);
  return false;
}
