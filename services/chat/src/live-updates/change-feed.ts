import type { RequestOf, ResponseOf } from '@atrium/proto-events/endpoint';
import type { listChanges } from '@atrium/proto-events/http/changes';
import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import { assignedDepartmentId } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Revocations } from '@atrium/service-kit/directory/revocations';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { type Caller, rejectedToken } from '@atrium/service-kit/http/authenticate';
import { createInFlightLimiter } from '@atrium/service-kit/process/concurrency';
import { isSessionEnded } from '../sockets/authenticate-socket.ts';
import type { ConversationRooms } from '../sockets/conversation-rooms.ts';
import { listPeople } from './list-people.ts';
import { isRecipient, type Recipient } from './recipients.ts';
import type { ReplayBuffer } from './replay-buffer.ts';

type Query = RequestOf<typeof listChanges>['query'];
type Page = ResponseOf<typeof listChanges>;

/** Below the gateway's limit of connections to a service. */
const MAX_WAITING = 100;
export const MAX_WAITING_PER_USER = 5;

/** Serves live updates to API clients, over HTTP. */
export type ChangeFeed = {
  list(caller: Caller, query: Query, aborted: AbortSignal): Promise<Page>;
  /** Wakes requests that wait for one of the updates, which the replay buffer already includes. */
  notify(updates: readonly LiveUpdate[]): void;
  /** Ends waiting requests. */
  close(): void;
};

type Deps = {
  replayBuffer: ReplayBuffer;
  rooms: Pick<ConversationRooms, 'readConversations'>;
  directory: Directory;
  revocations: Pick<Revocations, 'has'>;
};

type Waiter = { recipient: Recipient; wake: () => void };

export function createChangeFeed({ replayBuffer, rooms, directory, revocations }: Deps): ChangeFeed {
  const waiters = new Set<Waiter>();
  const slots = createInFlightLimiter();
  const closeController = new AbortController();

  const readRecipient = async (caller: Caller, tags: readonly string[]): Promise<Recipient> => {
    const conversationIds = new Set((await rooms.readConversations(caller.userId)).conversations);
    const user = directory.user(caller.userId);
    // The session may have ended while the request waited.
    if (revocations.has(caller.sessionId) || isSessionEnded(user, caller.issuedAt ?? 0)) throw rejectedToken(caller);
    return {
      userId: caller.userId,
      isAdmin: user?.role === 'admin',
      isInDepartment: (departmentId) => assignedDepartmentId(user) === departmentId,
      isSubscribedTo: (tag) => tags.includes(tag),
      isParticipantOf: (conversationId) => conversationIds.has(conversationId),
    };
  };
  const readPage = (since: string, recipient: Recipient): Page => {
    const data = replayBuffer.changesSince(since, (update) => isRecipient(update, recipient));
    if (!data) throw new AppError('position_expired', 'These changes are no longer available. Load everything again.');
    return { data, people: listPeople(data, directory), position: replayBuffer.position() };
  };
  const waitForUpdate = async (recipient: Recipient, signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { recipient, wake: resolve };
    const wake = () => resolve();
    waiters.add(waiter);
    signal.addEventListener('abort', wake);
    await promise;
    signal.removeEventListener('abort', wake);
    waiters.delete(waiter);
  };
  const waitForPage = async (caller: Caller, { since, tags }: Query & { since: string }, signal: AbortSignal) => {
    // The user may lose access while the request waits.
    let recipient = await readRecipient(caller, tags);
    let page = readPage(since, recipient);
    while (page.data.length === 0 && !signal.aborted) {
      await waitForUpdate(recipient, signal);
      recipient = await readRecipient(caller, tags);
      page = readPage(page.position, recipient);
    }
    return page;
  };
  const acquireSlot = (userId: string) => {
    if (slots.acquire(userId, MAX_WAITING_PER_USER)) {
      if (slots.acquire('all', MAX_WAITING)) return;
      slots.release(userId);
    }
    throw new AppError('rate_limited', 'Too many requests wait for changes', { retryAfterSeconds: 5 });
  };
  return {
    async list(caller, { since, ...query }, aborted) {
      await replayBuffer.whenComplete();
      if (since === undefined) return { data: [], people: [], position: replayBuffer.position() };
      if (query.wait === 0) return readPage(since, await readRecipient(caller, query.tags));
      acquireSlot(caller.userId);
      try {
        const timeout = AbortSignal.timeout(query.wait * 1_000);
        return await waitForPage(
          caller,
          { ...query, since },
          AbortSignal.any([aborted, timeout, closeController.signal]),
        );
      } finally {
        slots.release(caller.userId);
        slots.release('all');
      }
    },
    notify(updates) {
      for (const { recipient, wake } of waiters) if (updates.some((update) => isRecipient(update, recipient))) wake();
    },
    close: () => closeController.abort(),
  };
}
