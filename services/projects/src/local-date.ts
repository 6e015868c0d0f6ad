import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';

/** The day that it is for a person now, in the zone of their profile: YYYY-MM-DD. What is due on it is not overdue for them yet. */
export function localDateOf(directory: Directory, { userId }: Pick<Caller, 'userId'>, now = new Date()): string {
  const timeZone = directory.user(userId)?.timezone ?? 'UTC';
  // Swedish writes dates as ISO 8601 does.
  return now.toLocaleDateString('sv-SE', { timeZone });
}

/** In SQL, whether what is due is so before `today`, a parameter of the form YYYY-MM-DD: days are stored as their first moment in UTC. */
export const isPastDue = (today: string) => `due_date < ${today}::date::timestamp at time zone 'UTC'`;
