import type { Role } from '@atrium/proto-events/people';

/** Who may change departments; everybody reads them, so a refusal hides nothing (decisions, section 3). */
export const WRITERS: readonly Role[] = ['admin'];

export const WRITE_REFUSED = 'Only administrators can change departments';
