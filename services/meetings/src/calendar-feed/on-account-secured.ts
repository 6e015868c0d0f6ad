import { accountSecured } from '@atrium/proto-events/events/auth';
import { on } from '@atrium/service-kit/messaging/subscription';
import { removeFeeds } from './feed-repository.ts';

/** Allows for clock differences between services and for the time until every pod knows the session has ended. */
const GRACE_MS = 10_000;

/** A feed needs no session, so it is revoked together with them. A feed created since then stays. */
export const revokeFeedOnAccountSecured = on(accountSecured, ({ data: { userId }, occurredAt }, tx) =>
  removeFeeds(tx, [userId], new Date(Date.parse(occurredAt) + GRACE_MS)),
);
