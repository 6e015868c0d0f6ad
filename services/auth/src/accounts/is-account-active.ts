import { canBecomeActive, isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { unavailable } from '@atrium/service-kit/http/app-error';
import type { Deps } from '../deps.ts';
import type { Account } from './account-repository.ts';
import { awaitActive } from './await-active.ts';

type Accepted = Pick<Account, 'id' | 'activated_at'>;

/** Whether the directory entry predates the activation of the account. */
export const isAheadOf = (directory: Directory, { id, activated_at }: Accepted): boolean =>
  canBecomeActive(directory.user(id), activated_at?.getTime());

/** Waits for a directory that is behind an activation; throws `unavailable` with this message if it stays behind. */
export async function isAccountActive(
  { directory }: Pick<Deps, 'directory'>,
  account: Accepted,
  message: string,
): Promise<boolean> {
  if (isAheadOf(directory, account)) await awaitActive(directory, account.id);
  if (isAheadOf(directory, account)) throw unavailable(message);
  return isActive(directory.user(account.id));
}
