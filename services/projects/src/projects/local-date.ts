import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Current date (YYYY-MM-DD) in the time zone of the user. Work due on it is not overdue yet. */
export function localDateOf(directory: Directory, { userId }: Pick<Caller, 'userId'>, now = new Date()): string {
  const timeZone = directory.user(userId)?.timezone ?? 'UTC';
  // The Swedish locale formats dates as ISO 8601.
  return now.toLocaleDateString('sv-SE', { timeZone });
}

/** SQL condition; `today` is a parameter of the form YYYY-MM-DD. Due dates are stored as midnight UTC. */
export const isPastDue = (today: string) => `due_date < ${today}::date::timestamp at time zone 'UTC'`;
