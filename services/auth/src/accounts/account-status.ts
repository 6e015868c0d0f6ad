import { canBecomeActive, isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { unavailable } from '@atrium/service-kit/errors/app-error';
import type { Deps } from '../deps.ts';
import type { Account } from './account-repository.ts';

type ActivatedAccount = Pick<Account, 'id' | 'activated_at'>;

export const isDirectoryBehind = (directory: Directory, { id, activated_at }: ActivatedAccount): boolean =>
  canBecomeActive(directory.user(id), activated_at?.getTime());

/** Waits for the directory if it is behind an activation; throws `unavailable` with this message if it stays behind. */
export async function isAccountActive(
  { directory }: Pick<Deps, 'directory'>,
  account: ActivatedAccount,
  message: string,
): Promise<boolean> {
  if (isDirectoryBehind(directory, account)) await awaitActive(directory, account.id);
  if (isDirectoryBehind(directory, account)) throw unavailable(message);
  return isActive(directory.user(account.id));
}

const PROPAGATION_TIMEOUT_MS = 3_000;

/** Waits up to three seconds for the directory to contain the user; continues without it after that. */
export function awaitActive(directory: Directory, userId: string): Promise<boolean> {
  return directory.whenUser(userId, isActive, PROPAGATION_TIMEOUT_MS);
}

/**
 * During a NATS outage no deactivation arrives: after `DIRECTORY_MAX_AGE_SECONDS` no access token is issued
 * (docs/decisions/0018).
 */
export const isDirectoryFresh = ({ directory, config }: Pick<Deps, 'directory' | 'config'>): boolean =>
  directory.ageMs() <= config.DIRECTORY_MAX_AGE_SECONDS * 1000;

export function assertDirectoryFresh(deps: Pick<Deps, 'directory' | 'config'>): void {
  if (!isDirectoryFresh(deps)) throw new Error('User directory is stale');
}
