import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Room permissions. Pure: no I/O, no state. */

export const BOOK_DENIED = 'This room can only be booked by members of its departments';

/** Administrators, and members of its departments, if it names any. */
export const canBook = ({ role, departmentId }: Caller, room: { department_ids: readonly string[] }) =>
  role === 'admin' ||
  room.department_ids.length === 0 ||
  (departmentId != null && room.department_ids.includes(departmentId));
