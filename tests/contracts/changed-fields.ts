import { updateDepartmentBody } from '@atrium/proto-events/http/departments';
import { updateDocumentBody } from '@atrium/proto-events/http/documents';
import { updateMeetingBody } from '@atrium/proto-events/http/meetings/meeting-fields';
import { updateRoomBody } from '@atrium/proto-events/http/meetings/rooms';
import { updateProjectBody } from '@atrium/proto-events/http/projects';
import { updateTaskBody } from '@atrium/proto-events/http/tasks';
import { updateProfileBody, updateUserBody } from '@atrium/proto-events/http/users';
import type { Change } from '@atrium/proto-events/realtime';

type Shape = Readonly<Record<string, unknown>>;

const fieldsOf = (...shapes: Shape[]) =>
  [...new Set(shapes.flatMap((shape) => Object.keys(shape)))].filter((name) => name !== 'version');

/** Fields that events can name as changed: those of writes, and those that a service changes itself. */
export const CHANGED_FIELDS: Readonly<Partial<Record<Change['resource'], readonly string[]>>> = {
  user: [
    ...fieldsOf(updateProfileBody.shape, updateUserBody.shape),
    'email',
    'avatar',
    'invited',
    'joinDate',
    'preferences',
    'tasksCompleted',
  ],
  department: fieldsOf(updateDepartmentBody.shape),
  project: [...fieldsOf(updateProjectBody.shape), 'teamMembers', 'health'],
  task: [...fieldsOf(updateTaskBody.shape), 'comments', 'completedAt'],
  meeting: [...fieldsOf(updateMeetingBody.shape), 'recurringEndDate', 'organizer', 'decisions', 'closing'],
  room: fieldsOf(updateRoomBody.shape),
  document: [...fieldsOf(updateDocumentBody.shape), 'sharedWith', 'file'],
  conversation: ['title', 'participants', 'otherParticipants'],
};
