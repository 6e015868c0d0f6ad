import { AppError } from '@atrium/service-kit/app-error';
import { presentUser } from './present-user.ts';
import type { UserRow } from './user-repository.ts';

/** Refuses a change that was made on another version of the person than the present one. */
export function refuseStale(before: UserRow, version: number | undefined): void {
  if (version === undefined || version === before.version) return;
  const current = presentUser(before);
  throw new AppError('stale_version', 'Someone else has changed this person in the meantime', { current });
}
