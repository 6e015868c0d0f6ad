import type { Caller } from '@atrium/service-kit/authenticate';

/** Who may do what with a message (decisions, section 7). Pure: no I/O, no state. */

type Seen = { sender_id: string; conversation_type: string; takes_part: boolean };

export const EDIT_REFUSED = 'You can only edit your own messages';
export const DELETE_REFUSED = 'You can only delete your own messages';

/** Participants; an administrator also knows the messages of groups and projects by their ids, to delete them. */
export const mayKnow = (caller: Caller, message: Seen) =>
  message.takes_part || (caller.role === 'admin' && message.conversation_type !== 'direct');

export const mayEdit = (caller: Caller, message: Seen) => message.sender_id === caller.userId;

export const mayDelete = (caller: Caller, message: Seen) =>
  message.sender_id === caller.userId || caller.role === 'admin';
