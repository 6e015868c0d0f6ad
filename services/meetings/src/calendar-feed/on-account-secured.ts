import type { EventOf } from '@atrium/proto-events/event';
import type { accountSecured } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { deleteFeeds } from './feed-repository.ts';

/** Covers clock differences between services, and the time until every pod knows that the session has ended. */
const GRACE_MS = 10_000;

/** Revokes the feed together with the user's sessions, since it needs none. A feed created afterward stays. */
export const revokeFeedOnAccountSecured = (
  { data: { userId }, occurredAt }: EventOf<typeof accountSecured>,
  tx: Queryable,
) => deleteFeeds(tx, [userId], new Date(Date.parse(occurredAt) + GRACE_MS));
