import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { MessageRow } from './message-repository.ts';

/** Decisions, section 7. */

type Viewer = Pick<Caller, 'userId' | 'role'>;
type Sent = Pick<MessageRow, 'sender_id'>;
type Seen = { conversation_type: string; takes_part: boolean };

export const EDIT_DENIED = 'You can only edit your own messages';
export const DELETE_DENIED = 'You can only delete your own messages';

/** Administrators can also see messages of groups and project conversations, to delete them. */
export const canSee = (viewer: Viewer, message: Seen) =>
  message.takes_part || (viewer.role === 'admin' && message.conversation_type !== 'direct');

export const canEdit = (viewer: Viewer, message: Sent) => message.sender_id === viewer.userId;

export const canDelete = (viewer: Viewer, message: Sent) => message.sender_id === viewer.userId || canDeleteAny(viewer);

export const canDeleteAny = (viewer: Viewer) => viewer.role === 'admin';

export function abilities(viewer: Viewer, message: Sent & Pick<MessageRow, 'deleted_at'>) {
  const isActive = message.deleted_at === null;
  return { edit: isActive && canEdit(viewer, message), delete: isActive && canDelete(viewer, message) };
}
