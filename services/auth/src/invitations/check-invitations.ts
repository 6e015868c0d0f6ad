import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { checkInvites } from '@atrium/proto-events/http/invitations';
import { findAccountsByEmail } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';

/** Advisory: creating an invitation still rejects an email taken since. */
export async function checkInvitations({ db }: Deps, { emails }: RequestOf<typeof checkInvites>['body']) {
  return { data: await findAccountsByEmail(db, emails) };
}
