import type { listInvites } from '@atrium/proto-events/http/invitations';
import { useRead } from '#lib/query/use-read.ts';

const PAGE_SIZE = 10;

/** Pending invitations, newest first; administrators only. */
export function useInvitations(isAllowed: boolean, page = '1') {
  return useRead<typeof listInvites>('GET /auth/invites', isAllowed ? { query: { page, limit: PAGE_SIZE } } : null);
}
