import { readEmailAddress } from '@atrium/proto-events/text/email';
import { uniqueKey } from '@atrium/proto-events/text/fold';
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

/** The roles that an invitation can grant (`INVITED_ROLE_OPTIONS`). */
export type InvitedRole = 'member' | 'project_manager';
export type KnownDepartment = { _id: string; name: string; isActive: boolean };

const ROLES: Record<InvitedRole, readonly string[]> = {
  member: ['member', 'teammember', 'user'],
  project_manager: ['projectmanager', 'manager', 'pm'],
};

/** The role a text means; undefined if no invitation can grant it. */
export function roleOf(text: string): InvitedRole | undefined {
  const word = uniqueKey(text).replace(/[\s_-]/g, '');
  if (ROLES.member.includes(word)) return 'member';
  return ROLES.project_manager.includes(word) ? 'project_manager' : undefined;
}

/** The active department with that id or name. */
export function departmentOf<Department extends KnownDepartment>(
  text: string,
  departments: readonly Department[],
): Department | undefined {
  const key = uniqueKey(text);
  return departments.find(({ _id, name, isActive }) => isActive && (_id === text || uniqueKey(name) === key));
}

export const activeNames = (departments: readonly KnownDepartment[]): string[] =>
  departments.filter(({ isActive }) => isActive).map(({ name }) => name);

export const departmentOptions = (departments: readonly KnownDepartment[]) =>
  departments.filter(({ isActive }) => isActive).map(({ _id, name }) => ({ value: _id, label: name }));
