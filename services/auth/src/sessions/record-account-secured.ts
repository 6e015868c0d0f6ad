import { accountSecured } from '@atrium/proto-events/events/auth';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { z } from 'zod';

type Secured = z.input<typeof accountSecured.data> & { actorId: string };

/** Recorded in addition to the end of each session, also for a user without sessions. */
export const recordAccountSecured = (tx: Queryable, { actorId, ...data }: Secured): Promise<void> =>
  appendEvent(tx, { event: accountSecured, data, aggregate: data.userId, actorId });
