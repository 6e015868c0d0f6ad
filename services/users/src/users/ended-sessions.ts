import type { UserRow } from './user-repository.ts';

/** The moment before which tokens are refused, when sessions end now. Never back, also when another pod's clock is ahead of this one's. */
export const endingNow = ({ sessions_valid_after }: Pick<UserRow, 'sessions_valid_after'>): number =>
  Math.max(sessions_valid_after, Date.now());
