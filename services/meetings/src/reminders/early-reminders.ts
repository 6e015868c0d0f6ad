import type { DirectoryUser } from '@atrium/proto-events/people';
import { DEFAULT_PREFERENCES, preferencesOf } from '@atrium/proto-events/preferences';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';

/** Lead time read for all users. */
export const USUAL_MINUTES = DEFAULT_PREFERENCES.reminderMinutes ?? 0;

/** Users with a longer lead time, in minutes. Only their own meetings are read further ahead. */
export type EarlyReminders = ReadonlyMap<string, number>;

export function followEarlyReminders(directory: Pick<Directory, 'users' | 'onUser'>): EarlyReminders {
  const early = new Map<string, number>();
  const follow = (user: DirectoryUser) => {
    const { reminderMinutes } = preferencesOf(user);
    if (isActive(user) && reminderMinutes !== null && reminderMinutes > USUAL_MINUTES)
      early.set(user._id, reminderMinutes);
    else early.delete(user._id);
  };
  for (const user of directory.users()) follow(user);
  directory.onUser(follow);
  return early;
}
