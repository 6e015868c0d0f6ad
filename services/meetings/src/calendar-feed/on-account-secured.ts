import { accountSecured } from '@atrium/proto-events/events/auth';
import { on } from '@atrium/service-kit/messaging/subscription';
import { removeFeeds } from './feed-repository.ts';

/** Clocks of two services may differ, and an ended session is accepted until its end has reached every pod. */
const GRACE_MS = 10_000;

/** A feed opens meetings without signing in, so it ends with the sessions. A feed that was created since then stays. */
export const endFeeds = on(accountSecured, ({ data: { userId }, occurredAt }, tx) =>
  removeFeeds(tx, [userId], new Date(Date.parse(occurredAt) + GRACE_MS)),
);
