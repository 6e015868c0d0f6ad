import type { MAX_IDS } from '@atrium/proto-events/fields';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import type { listUsers } from '@atrium/proto-events/http/users';
import type { User, UserSummary } from '@atrium/proto-events/people';
import { call } from '#lib/api/api.ts';
import { createCatchUpPoller } from '#lib/poll-until-complete.ts';
import { createUserScopedStore } from '#lib/session/user-scoped-store.ts';
import { splitIntoBatches } from '#lib/split-into-batches.ts';
import { onNameChanges } from '#realtime/name-changes.ts';
import { withSenders } from './message-log.ts';
import { messageStore } from './message-store.ts';

const BATCH_SIZE: typeof MAX_IDS = 100;
/** Spreads the requests of all clients after a name change. */
const MAX_DELAY_MS = 2_000;

const outdatedIds = createUserScopedStore(() => new Set<string>());
let isFollowing = false;
let changeCount = 0;

const poller = createCatchUpPoller({
  getMissing: () => (outdatedIds.get().size > 0 ? changeCount : null),
  async fetchMissing() {
    const pendingIds = outdatedIds.get();
    const ids = [...pendingIds];
    const write = messageStore.allLogsWriter();
    // A rename during the request is recorded again.
    pendingIds.clear();
    try {
      const usersById = new Map((await fetchSenders(ids)).map((user) => [user._id, user]));
      const senders = new Map(ids.map((id) => [id, usersById.get(id) ?? deletedUser(id)]));
      write((log) => withSenders(log, senders));
    } catch (error) {
      for (const id of ids) pendingIds.add(id);
      throw error;
    }
  },
});

/**
 * Keeps senders of cached messages up to date: each message includes its sender as of when it was read. Runs for the
 * lifetime of the page, because logs stay cached while other screens are shown.
 */
export function followSenders(): void {
  if (isFollowing) return;
  isFollowing = true;
  onNameChanges(refresh);
}

/** `changed` is null if it is unknown who changed. */
function refresh(changed: readonly string[] | null): void {
  const messages = messageStore.listLogs().flatMap((log) => [...log.messages, ...log.ahead]);
  const senders = new Set(messages.filter(isFromUser).map(({ sender }) => sender._id));
  for (const id of changed ?? senders) if (senders.has(id)) outdatedIds.get().add(id);
  changeCount += 1;
  if (outdatedIds.get().size > 0) setTimeout(poller.check, Math.random() * MAX_DELAY_MS);
}

const isFromUser = ({ sender }: Message) => !sender.system;

async function fetchSenders(ids: readonly string[]): Promise<UserSummary[]> {
  const pages = await Promise.all(
    splitIntoBatches(ids, BATCH_SIZE).map((batch) =>
      call<typeof listUsers>('GET /users', { query: { ids: batch.join(), limit: BATCH_SIZE } }),
    ),
  );
  return pages.flatMap(({ data }) => data.map(toSummary));
}

const toSummary = ({ _id, firstName, lastName, email, role, status, department, avatar }: User): UserSummary => ({
  _id,
  firstName,
  lastName,
  email,
  role,
  status,
  department,
  avatar,
});

/** Builds a deleted user as the server presents it. */
const deletedUser = (_id: string): UserSummary => ({ _id, firstName: 'Deleted', lastName: 'user', deleted: true });
