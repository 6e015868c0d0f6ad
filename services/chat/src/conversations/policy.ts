import type { Caller } from '@atrium/service-kit/http/authenticate';
import { mayDeleteAny } from '../messages/policy.ts';

/** Who may do what with a conversation (specification, section 6; decisions, section 7). Pure: no I/O, no state. */

type Viewer = Pick<Caller, 'userId' | 'role'>;
type Owned = { type: string; created_by: string | null; manager_id: string | null };

export const MANAGE_REFUSED = "You don't have permission to manage this conversation.";
export const DIRECT_REFUSED = 'A direct conversation has no name and no other people';
export const DIRECT_DELETE_REFUSED = 'A direct conversation cannot be deleted';
export const LEAVE_DIRECT_DENIED = 'A direct conversation cannot be left';
export const REMOVE_SELF_REFUSED = 'You cannot remove yourself from the conversation';
export const REMOVE_PROJECT_PERSON_REFUSED = 'They belong to this project. Remove them from the project instead.';
export const REMOVE_CREATOR_REFUSED = 'The creator cannot be removed from the conversation';

/** Participants; an administrator also knows groups and projects by their ids, to manage them. */
export const mayKnow = (viewer: Viewer, conversation: Owned & { last_read_seq: number | null }) =>
  conversation.last_read_seq !== null || (viewer.role === 'admin' && conversation.type !== 'direct');

const isCreator = (viewer: Viewer, { created_by }: Owned) => created_by === viewer.userId;
const isManager = (viewer: Viewer, { manager_id }: Owned) => manager_id === viewer.userId;

export const mayRename = (viewer: Viewer, conversation: Owned) =>
  conversation.type !== 'direct' &&
  (viewer.role === 'admin' || isCreator(viewer, conversation) || isManager(viewer, conversation));

export const mayManageParticipants = (viewer: Viewer, conversation: Owned) =>
  conversation.type !== 'direct' &&
  (viewer.role === 'admin' ||
    (conversation.type === 'group' ? isCreator(viewer, conversation) : isManager(viewer, conversation)));

export const mayDelete = (viewer: Viewer, conversation: Owned) =>
  conversation.type !== 'direct' && viewer.role === 'admin';

/** Whether a participant can leave. The project's people leave its conversation with the project; guests are free to go. */
export const canLeave = (viewer: Viewer, { type, project_people }: Owned & { project_people: string[] | null }) =>
  type === 'group' || (type === 'project' && !project_people?.includes(viewer.userId));

/** What the screen offers: never more than the server would do. */
export function abilities(
  viewer: Viewer,
  conversation: Owned & { project_people: string[] | null; last_read_seq: number | null },
) {
  return {
    leave: conversation.last_read_seq !== null && canLeave(viewer, conversation),
    rename: mayRename(viewer, conversation),
    manageParticipants: mayManageParticipants(viewer, conversation),
    delete: mayDelete(viewer, conversation),
    deleteMessages: mayDeleteAny(viewer),
  };
}
