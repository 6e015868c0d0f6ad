import type { Caller } from '@atrium/service-kit/authenticate';

/** Who may invite (specification, section 6). */
export const mayInvite = (caller: Caller) => caller.role === 'admin';

export const INVITE_REFUSED = 'Only administrators can invite people';
