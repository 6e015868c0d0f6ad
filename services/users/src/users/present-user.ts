import type { OwnPreferences } from '@atrium/proto-events/http/users';
import type { DirectoryUser, Role, User, UserSummary } from '@atrium/proto-events/people';
import { resolvePreferences } from '@atrium/proto-events/preferences';
import type { UserRow } from './user-repository.ts';

const presentDepartment = ({ department_id, department_name }: UserRow) =>
  department_id === null || department_name === null ? null : { _id: department_id, name: department_name };

export function presentUser(row: UserRow): User {
  return {
    _id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    location: row.location,
    department: presentDepartment(row),
    ...(row.department_self_assigned && { departmentSelfAssigned: true }),
    role: row.role,
    status: row.status,
    invited: row.invited,
    bio: row.bio,
    skills: row.skills,
    avatar: row.avatar,
    timezone: row.timezone,
    joinDate: row.join_date.toISOString(),
    lastLogin: row.last_login?.toISOString() ?? null,
    tasksCompleted: row.tasks_completed,
    version: row.version,
  };
}

/** As lists show the user to everyone, and as events carry them. */
export function presentSharedUser(row: UserRow): Omit<User, 'lastLogin'> {
  const { lastLogin, ...user } = presentUser(row);
  return user;
}

export const presentUserTo = ({ role }: { role: Role }, row: UserRow): User =>
  role === 'admin' ? presentUser(row) : presentSharedUser(row);

export function presentSummary(row: UserRow): UserSummary {
  return {
    _id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    role: row.role,
    status: row.status,
    department: presentDepartment(row),
    avatar: row.avatar,
    version: row.version,
  };
}

export function presentPreferences(row: UserRow): OwnPreferences {
  return { ...resolvePreferences(row), version: row.version };
}

const hasPreferences = ({ preferences }: Pick<UserRow, 'preferences'>) => Object.keys(preferences).length > 0;

export function toDirectoryEntry(row: Omit<UserRow, 'department_name'>): DirectoryUser {
  return {
    _id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    role: row.role,
    status: row.status,
    departmentId: row.department_id,
    ...(row.department_self_assigned && { departmentSelfAssigned: true }),
    avatar: row.avatar,
    timezone: row.timezone,
    ...(hasPreferences(row) && { preferences: row.preferences }),
    deleted: row.deleted_at !== null,
    sessionsValidAfter: row.sessions_valid_after,
    version: row.version,
  };
}
