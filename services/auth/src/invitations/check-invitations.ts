import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { checkInvites } from '@atrium/proto-events/http/invitations';
import { findAccountsByEmail } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';

/** Lets a list of people be corrected before it is sent; an invitation itself is still rejected if the address was taken since. */
export async function checkInvitations({ db }: Deps, { emails }: RequestOf<typeof checkInvites>['body']) {
  return { data: await findAccountsByEmail(db, emails) };
}
