import { canBecomeActive, isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import type { Deps } from '../deps.ts';
import type { Account } from './account-repository.ts';
import { awaitActive } from './await-active.ts';

type ActivatedAccount = Pick<Account, 'id' | 'activated_at'>;

/** Whether the directory entry predates the activation of the account. */
export const isDirectoryBehind = (directory: Directory, { id, activated_at }: ActivatedAccount): boolean =>
  canBecomeActive(directory.user(id), activated_at?.getTime());

/** Waits for a directory that is behind an activation; throws `unavailable` with this message if it stays behind. */
export async function isAccountActive(
  { directory }: Pick<Deps, 'directory'>,
  account: ActivatedAccount,
  message: string,
): Promise<boolean> {
  if (isDirectoryBehind(directory, account)) await awaitActive(directory, account.id);
  if (isDirectoryBehind(directory, account)) throw unavailable(message);
  return isActive(directory.user(account.id));
}
