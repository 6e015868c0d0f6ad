import type { User } from '@atrium/proto-events/people';

export const ROLE_OPTIONS = [
  { value: 'admin', label: 'Admin' },
  { value: 'project_manager', label: 'Project Manager' },
  { value: 'member', label: 'Member' },
] as const;

export const INVITED_ROLE_OPTIONS = [
  { value: 'member', label: 'Member' },
  { value: 'project_manager', label: 'Project Manager' },
] as const;

type HasRole = Pick<User, 'role'>;

/** Decide about actions without a resource that has `abilities`. The server has the final say. */
export const canCreateProjects = (user: HasRole): boolean => user.role === 'admin';
export const canManageUsers = (user: HasRole): boolean => user.role === 'admin';
export const canScheduleMeetings = (user: HasRole): boolean => user.role === 'admin' || user.role === 'project_manager';
export const canManageEmoji = (user: HasRole): boolean => user.role === 'admin';
export const canManageRooms = (user: HasRole): boolean => user.role === 'admin';
