import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { MessageRow } from './message-repository.ts';

/** Who may do what with a message (decisions, section 7). Pure: no I/O, no state. */

type Viewer = Pick<Caller, 'userId' | 'role'>;
type Sent = Pick<MessageRow, 'sender_id'>;
type Seen = { conversation_type: string; takes_part: boolean };

export const EDIT_REFUSED = 'You can only edit your own messages';
export const DELETE_REFUSED = 'You can only delete your own messages';

/** Participants; an administrator also knows the messages of groups and projects by their ids, to delete them. */
export const mayKnow = (viewer: Viewer, message: Seen) =>
  message.takes_part || (viewer.role === 'admin' && message.conversation_type !== 'direct');

export const mayEdit = (viewer: Viewer, message: Sent) => message.sender_id === viewer.userId;

export const mayDelete = (viewer: Viewer, message: Sent) => message.sender_id === viewer.userId || mayDeleteAny(viewer);

/** Messages of others. */
export const mayDeleteAny = (viewer: Viewer) => viewer.role === 'admin';

/** What the screen offers to a participant: nothing for what is deleted already. */
export function abilities(viewer: Viewer, message: Sent & Pick<MessageRow, 'deleted_at'>) {
  const isThere = message.deleted_at === null;
  return { edit: isThere && mayEdit(viewer, message), delete: isThere && mayDelete(viewer, message) };
}
