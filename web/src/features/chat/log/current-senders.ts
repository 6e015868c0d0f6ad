import type { MAX_IDS } from '@atrium/proto-events/fields';
import type { listUsers } from '@atrium/proto-events/http/users';
import type { User, UserSummary } from '@atrium/proto-events/people';
import { call } from '#lib/api/api.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { splitIntoBatches } from '#lib/split-into-batches.ts';
import { onNameChanges } from '#realtime/topic-subscriptions/name-changes.ts';
import { logs } from './message-store.ts';
import { createSenders } from './senders.ts';

const BATCH_SIZE: typeof MAX_IDS = 100;

async function fetchSenders(ids: readonly string[]): Promise<UserSummary[]> {
  const pages = await Promise.all(
    splitIntoBatches(ids, BATCH_SIZE).map((portion) =>
      call<typeof listUsers>('GET /users', { query: { ids: portion.join(), limit: BATCH_SIZE } }),
    ),
  );
  return pages.flatMap(({ data }) => data.map(summaryOf));
}

const summaryOf = ({ _id, firstName, lastName, email, role, status, department, avatar }: User): UserSummary => ({
  _id,
  firstName,
  lastName,
  email,
  role,
  status,
  department,
  avatar,
});

const waiting = createUserScopedStore(() => new Set<string>());
const senders = createSenders({ logs, fetchSenders, waiting: waiting.get });
let isFollowing = false;

/** Runs for the lifetime of the page, because logs stay cached while other screens are shown. */
export function followSenders(): void {
  if (isFollowing) return;
  isFollowing = true;
  onNameChanges(senders.refresh);
}
