import { MAX_MEETING_MS, MEETING_TOO_LONG } from '@atrium/proto-events/http/meeting-fields';
import { type Rule, SELECT_WEEKDAYS, startError, weekdayOf } from '@atrium/proto-events/recurrence';
import * as people from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import { invalidField } from '@atrium/service-kit/http/app-error';
import { databaseTime } from '@atrium/service-kit/postgres/database-time';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { localDay } from '../series/recurrence.ts';

/** How far a client's clock may be ahead of ours when it schedules something for now. */
const GRACE_MS = 60_000;

export const PAST = 'Meeting time cannot be in the past';

/** What is past is so by the database's clock, as in lists and on every pod. */
export async function refusePastStart(tx: Queryable, start: Date, allowPast: boolean): Promise<void> {
  if (allowPast) return;
  if (start.getTime() < (await databaseTime(tx)).getTime() - GRACE_MS) throw invalidField('startTime', PAST);
}

/** An edit may start in the past (a meeting that runs longer) but not end there: the meeting would be final at once. */
export async function refusePastEnd(tx: Queryable, end: Date, allowPast: boolean): Promise<void> {
  if (!allowPast && end <= (await databaseTime(tx))) throw invalidField('startTime', PAST);
}

/** Of what a partial change comes to; whole ones are checked by the contract. */
export function assertDuration(start: Date, end: Date): void {
  if (end <= start) throw invalidField('endTime', 'End time must be after start time');
  if (end.getTime() - start.getTime() > MAX_MEETING_MS) throw invalidField('endTime', MEETING_TOO_LONG);
}

export function refuseEarlyEnd(lastDay: string | null, first: Date, timezone: string): void {
  if (lastDay !== null && lastDay < localDay(first, timezone)) {
    throw invalidField('recurringEndDate', 'The end date must not be before the meeting');
  }
}

export function assertStartsOnRule(rule: Rule, start: Date, timezone: string): void {
  const error = startError(rule, localDay(start, timezone));
  if (error !== undefined) throw invalidField('recurrence', error);
}

/** Moved to another weekday, a series on several of them needs a new selection: only the user can say which of them changes. */
export function assertKeepsWeekday(
  rule: Pick<Rule, 'weekdays'>,
  before: Pick<Rule, 'weekdays'>,
  days: { from: string; to: string },
): void {
  const isSameSelection = rule.weekdays.length > 1 && rule.weekdays.join() === before.weekdays.join();
  if (isSameSelection && weekdayOf(days.from) !== weekdayOf(days.to)) throw invalidField('recurrence', SELECT_WEEKDAYS);
}

/** Projects reach us in a moment. */
const SETTLE_MS = 2_000;

/** Waits for a project that was made just now. Before a transaction, so that nobody's locks and connections wait along. */
export async function awaitProject(projects: ProjectDirectory, id: string | null | undefined): Promise<void> {
  if (id) await projects.whenProject(id, SETTLE_MS);
}

/** Throws `validation_failed` unless everybody is an active user. */
export const requireActivePeople = (directory: Directory, ids: readonly string[]): void =>
  people.assertActiveUsers(directory, ids, { field: 'participants', message: 'Participants must be active users' });
