import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Who may do what with rooms. Pure: no I/O, no state. */

export const BOOK_REFUSED = 'This room can only be booked by people of its departments';

/** Administrators, and whoever is in one of its departments, if it names any. */
export const mayBook = ({ role, departmentId }: Caller, room: { department_ids: readonly string[] }) =>
  role === 'admin' ||
  room.department_ids.length === 0 ||
  (departmentId != null && room.department_ids.includes(departmentId));
