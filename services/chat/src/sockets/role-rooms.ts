import type { DirectoryUser } from '@atrium/proto-events/people';
import { assignedDepartmentId } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import {
  ADMINS,
  departmentRoom,
  isDepartmentRoom,
  type LiveNamespace,
  type LiveSocket,
  socketsIn,
  userRoom,
} from './socket-server.ts';

/** Joins the rooms of the user's role and department. */
export function joinRoleRooms(socket: LiveSocket, directory: Directory): void {
  updateRoleRooms(socket, directory.user(socket.data.caller.userId));
}

export function syncRoleRooms(live: LiveNamespace, directory: Directory): void {
  directory.onUser((user) => {
    for (const socket of socketsIn(live, userRoom(user._id))) updateRoleRooms(socket, user);
  });
}

function updateRoleRooms(socket: LiveSocket, user: DirectoryUser | undefined): void {
  if (user?.role === 'admin') void socket.join(ADMINS);
  else void socket.leave(ADMINS);
  const departmentId = assignedDepartmentId(user);
  const room = departmentId === null ? undefined : departmentRoom(departmentId);
  for (const joinedRoom of socket.rooms)
    if (isDepartmentRoom(joinedRoom) && joinedRoom !== room) void socket.leave(joinedRoom);
  if (room !== undefined) void socket.join(room);
}
