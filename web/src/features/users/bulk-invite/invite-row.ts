import { parseEmailAddress } from '@atrium/proto-events/text/email';
import { uniqueKey } from '@atrium/proto-events/text/fold';
import { normalizeName } from '@atrium/proto-events/text/normalize';
import { z } from 'zod';
import { newUuid } from '#lib/new-uuid.ts';
import { guessName } from './person-name.ts';

const text = z.string().catch('');

/** A person as listed. `role` and `department` are ids or the list's text; empty means the default. */
const listedPerson = z.object({ email: text, firstName: text, lastName: text, role: text, department: text });
export type ListedPerson = z.infer<typeof listedPerson>;

const attempt = z.object({ content: z.string(), key: z.string() });
export type Attempt = z.infer<typeof attempt>;

const rowFailure = z.object({ message: z.string(), isFinal: z.boolean() });
export type RowFailure = z.infer<typeof rowFailure>;

export const inviteRow = listedPerson.extend({
  id: z.string(),
  isNameGuessed: z.boolean().catch(false),
  attempt: attempt.optional().catch(undefined),
  failure: rowFailure.optional().catch(undefined),
});
export type InviteRow = z.infer<typeof inviteRow>;

export const FIELDS = ['email', 'firstName', 'lastName', 'role', 'department'] as const;

export function createRow(person: ListedPerson): InviteRow {
  const email = parseEmailAddress(person.email) ?? person.email.trim();
  const firstName = normalizeName(person.firstName);
  const lastName = normalizeName(person.lastName);
  const guess = firstName === '' && lastName === '' ? guessName(email) : undefined;
  const isNameGuessed = guess !== undefined;
  return { ...person, email, firstName, lastName, ...guess, id: newUuid(), isNameGuessed };
}

export type InvitedRole = 'member' | 'project_manager';
export type KnownDepartment = { _id: string; name: string; isActive: boolean };

const ROLES: Record<InvitedRole, readonly string[]> = {
  member: ['member', 'teammember', 'user'],
  project_manager: ['projectmanager', 'manager', 'pm'],
};

export function parseRole(text: string): InvitedRole | undefined {
  const word = uniqueKey(text).replace(/[\s_-]/g, '');
  if (ROLES.member.includes(word)) return 'member';
  return ROLES.project_manager.includes(word) ? 'project_manager' : undefined;
}

export function findDepartment<Department extends KnownDepartment>(
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
