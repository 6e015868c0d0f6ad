import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { checkInvites, listInvites } from '@atrium/proto-events/http/invitations';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import { findAccountsByEmail } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { listOpenInvitations, presentInvitation } from './invitation-repository.ts';

type Query = RequestOf<typeof listInvites>['query'];

export async function listInvitations({ db, directory }: Deps, query: Query) {
  const { rows, total } = await listOpenInvitations(db, toLimits(query));
  return toPage(
    rows.map((row) => presentInvitation(directory, row)),
    total,
    query,
  );
}

/** Returns which emails already have an account. Only a hint: inviting rejects an email that was taken since. */
export async function checkInvitations({ db }: Deps, { emails }: RequestOf<typeof checkInvites>['body']) {
  return { data: await findAccountsByEmail(db, emails) };
}
