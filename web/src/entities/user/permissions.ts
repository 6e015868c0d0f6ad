import type { User } from '@atrium/proto-events/people';

type Someone = Pick<User, 'role'>;

/** What is offered before there is a resource whose `abilities` could say so (specification, section 6). The server decides. */
export const canCreateProjects = (user: Someone): boolean => user.role === 'admin';
export const canManagePeople = (user: Someone): boolean => user.role === 'admin';
export const canScheduleMeetings = (user: Someone): boolean => user.role === 'admin' || user.role === 'project_manager';
export const canManageRooms = (user: Someone): boolean => user.role === 'admin';
