import type { EventOf } from '@atrium/proto-events/event';
import type { sessionStarted } from '@atrium/proto-events/events/auth';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { recordLogin } from './user-repository.ts';

export async function recordLastLogin({ data }: EventOf<typeof sessionStarted>, tx: Queryable): Promise<void> {
  await recordLogin(tx, data.userId, data.at);
}
