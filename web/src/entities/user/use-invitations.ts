import type { listInvites } from '@atrium/proto-events/http/invitations';
import { useRead } from '../../lib/query/use-read.ts';

const PAGE_SIZE = 10;

/** Invitations that were not accepted yet, newest first; for administrators, so nobody else asks. */
export function useInvitations(isAllowed: boolean, page = '1') {
  return useRead<typeof listInvites>('GET /auth/invites', isAllowed ? { query: { page, limit: PAGE_SIZE } } : null);
}
