import { MAX_MEETING_MS, MEETING_TOO_LONG } from '@atrium/proto-events/http/meetings/meeting-fields';
import { getWeekday, type Rule, SELECT_WEEKDAYS, startError } from '@atrium/proto-events/recurrence/rule';
import { assertActiveUsers } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import { invalidField } from '@atrium/service-kit/errors/app-error';
import { databaseTime, type Queryable } from '@atrium/service-kit/postgres/postgres';
import { localDay } from '../recurrence/local-time.ts';

/** How late the start of a meeting scheduled for now may be, because of client clocks and slow requests. */
const GRACE_MS = 60_000;

const IN_THE_PAST = 'Meeting time cannot be in the past';

/** Compares with the database clock, which lists and other pods use as well. */
export async function assertStartNotPast(tx: Queryable, start: Date, allowPast: boolean): Promise<void> {
  if (allowPast) return;
  if (start.getTime() < (await databaseTime(tx)).getTime() - GRACE_MS) throw invalidField('startTime', IN_THE_PAST);
}

/**
 * Allows an edit to move the start to the past (a longer meeting), but not the end, since past meetings cannot be
 * edited.
 */
export async function assertEndNotPast(tx: Queryable, end: Date, allowPast: boolean): Promise<void> {
  if (!allowPast && end <= (await databaseTime(tx))) throw invalidField('startTime', IN_THE_PAST);
}

/** Checks the result of a partial change; complete bodies are validated by the contract. */
export function assertDuration(start: Date, end: Date): void {
  if (end <= start) throw invalidField('endTime', 'End time must be after start time');
  if (end.getTime() - start.getTime() > MAX_MEETING_MS) throw invalidField('endTime', MEETING_TOO_LONG);
}

export function assertLastDay(lastDay: string | null, first: Date, timezone: string): void {
  if (lastDay !== null && lastDay < localDay(first, timezone)) {
    throw invalidField('recurringEndDate', 'The end date must not be before the meeting');
  }
}

export function assertStartsOnRule(rule: Rule, start: Date, timezone: string): void {
  const error = startError(rule, localDay(start, timezone));
  if (error !== undefined) throw invalidField('recurrence', error);
}

/**
 * A series on several weekdays that moves to a different weekday needs a new selection: only the user can say which
 * weekday changes.
 */
export function assertWeekdayKept(
  rule: Pick<Rule, 'weekdays'>,
  before: Pick<Rule, 'weekdays'>,
  days: { from: string; to: string },
): void {
  const isSameSelection = rule.weekdays.length > 1 && rule.weekdays.join() === before.weekdays.join();
  if (isSameSelection && getWeekday(days.from) !== getWeekday(days.to))
    throw invalidField('recurrence', SELECT_WEEKDAYS);
}

const PROPAGATION_TIMEOUT_MS = 2_000;

/** Waits for a project that was just created. Call outside a transaction, so that no locks or connections are held. */
export async function awaitProject(projects: ProjectDirectory, id: string | null | undefined): Promise<void> {
  if (id) await projects.whenProject(id, PROPAGATION_TIMEOUT_MS);
}

export const assertActiveParticipants = (directory: Directory, ids: readonly string[]): void =>
  assertActiveUsers(directory, ids, { field: 'participants', message: 'Participants must be active users' });
