import type { User } from '@atrium/proto-events/people';

type Someone = Pick<User, 'role'>;

/** For actions without a resource whose `abilities` could be used. The server has the final say. */
export const canCreateProjects = (user: Someone): boolean => user.role === 'admin';
export const canManagePeople = (user: Someone): boolean => user.role === 'admin';
export const canScheduleMeetings = (user: Someone): boolean => user.role === 'admin' || user.role === 'project_manager';
export const canManageRooms = (user: Someone): boolean => user.role === 'admin';
