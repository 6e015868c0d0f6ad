import { readEmailAddress } from '@atrium/proto-events/text/email';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { isRecord } from '#lib/is-record.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { guessName } from './person-name.ts';

/** A person as listed. `role` and `department` are ids or the list's text; empty means the default. */
export type ListedPerson = { email: string; firstName: string; lastName: string; role: string; department: string };

/** Why the server rejected an invitation. A final failure repeats until the row is corrected. */
export type RowFailure = { message: string; isFinal: boolean };

/** A request that may have succeeded without a response, and its idempotency key. */
export type Attempt = { content: string; key: string };

export type InviteRow = ListedPerson & {
  id: string;
  /** Whether the name was derived from the email address. */
  isNameGuessed: boolean;
  attempt?: Attempt | undefined;
  failure?: RowFailure | undefined;
};

export const FIELDS = ['email', 'firstName', 'lastName', 'role', 'department'] as const;

/** Canonicalizes a valid address, and derives a missing name from it. */
export function createRow(person: ListedPerson): InviteRow {
  const email = readEmailAddress(person.email) ?? person.email.trim();
  const [firstName, lastName] = [normalizeName(person.firstName), normalizeName(person.lastName)];
  const guess = firstName === '' && lastName === '' ? guessName(email) : undefined;
  const isNameGuessed = guess !== undefined;
  return { ...person, email, firstName, lastName, ...guess, id: newUuid(), isNameGuessed };
}

/** A row of a stored draft; undefined if it has another shape. */
export function parseRow(stored: unknown): InviteRow | undefined {
  if (!isRecord(stored) || typeof stored.id !== 'string') return undefined;
  const text = (name: string) => (typeof stored[name] === 'string' ? stored[name] : '');
  const person = {
    email: text('email'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    role: text('role'),
    department: text('department'),
  };
  const { attempt, failure } = stored;
  return {
    ...person,
    id: stored.id,
    isNameGuessed: stored.isNameGuessed === true,
    ...(isRecord(attempt) && { attempt: { content: String(attempt.content), key: String(attempt.key) } }),
    ...(isRecord(failure) && { failure: { message: String(failure.message), isFinal: failure.isFinal === true } }),
  };
}
