import type { RequestOf } from '@atrium/proto-events/endpoint';
import type { listInvites } from '@atrium/proto-events/http/invitations';
import { toLimits, toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { listOpenInvitations } from './invitation-repository.ts';
import { presentInvitation } from './present-invitation.ts';

type Query = RequestOf<typeof listInvites>['query'];

/** Includes expired invitations, which can be resent or revoked. */
export async function listInvitations({ db, directory }: Deps, query: Query) {
  const { rows, total } = await listOpenInvitations(db, toLimits(query));
  return toPage(
    rows.map((row) => presentInvitation(directory, row)),
    total,
    query,
  );
}
