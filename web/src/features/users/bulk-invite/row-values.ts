import { uniqueKey } from '@atrium/proto-events/text/fold';

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
