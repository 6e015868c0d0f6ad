import { accountSecured } from '@atrium/proto-events/events/auth';
import { on } from '@atrium/service-kit/messaging/subscription';
import { removeFeeds } from './feed-repository.ts';

/** A feed opens meetings without signing in, so it ends with the sessions. A feed that was created since then stays. */
export const endFeeds = on(accountSecured, ({ data: { userId }, occurredAt }, tx) =>
  removeFeeds(tx, [userId], new Date(occurredAt)),
);
