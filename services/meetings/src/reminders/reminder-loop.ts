import type { DirectoryUser } from '@atrium/proto-events/people';
import { preferencesOf } from '@atrium/proto-events/preferences';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observe/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { remindPeople } from './remind-people.ts';

/** How exact a reminder is. */
const LOOK_MS = 5_000;

/** Looks for reminders that are due for as long as the process lives; every pod does. */
export function startReminders({ db, directory, log }: { db: Db; directory: Directory; log: Logger }): PollingLoop {
  const longestMinutes = followLongest(directory);
  return startPollingLoop({
    what: 'reminders',
    everyMs: LOOK_MS,
    log,
    round: () => remindPeople({ db, directory, longestMinutes }),
  });
}

/** The most minutes that anybody has wanted since the process began: as far ahead it has to look. */
function followLongest(directory: Directory): () => number {
  let longest = 0;
  const follow = (person: DirectoryUser) => {
    longest = Math.max(longest, preferencesOf(person).reminderMinutes ?? 0);
  };
  for (const person of directory.users()) follow(person);
  directory.onUser(follow);
  return () => longest;
}
