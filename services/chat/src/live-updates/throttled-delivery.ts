import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { Change } from '@atrium/proto-events/realtime';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import { recipientSockets } from './recipients.ts';
import type { RefetchInterval } from './refetch-interval.ts';

/** An update for more recipients on a pod is spread over time. */
export const MAX_IMMEDIATE_RECIPIENTS = 200;

export type UpdatesBySocket = Map<string, LiveUpdate[]>;

type ThrottledDelivery = {
  next(updates: readonly LiveUpdate[], windowMs: number): UpdatesBySocket;
  hasPending(): boolean;
};

type Deps = {
  live: { adapter: Pick<LiveNamespace['adapter'], 'rooms'> };
  refetchInterval: Pick<RefetchInterval, 'budget'>;
};

/** Spreads updates of large conversations over time, because simultaneous refetches could overload the servers. */
export function createThrottledDelivery({ live, refetchInterval }: Deps): ThrottledDelivery {
  const pending: UpdatesBySocket = new Map();
  return {
    next(updates, windowMs) {
      const dueUpdates: UpdatesBySocket = new Map();
      for (const update of updates) {
        const socketIds = recipientSockets(update, live.adapter.rooms);
        const isThrottled = socketIds.size > MAX_IMMEDIATE_RECIPIENTS && update.changes.some(triggersListRefetch);
        addUpdate(isThrottled ? pending : dueUpdates, socketIds, update);
      }
      const currentRecipients = new Map<LiveUpdate, ReadonlySet<string>>();
      for (const [socketId, delayedUpdates] of [...pending].slice(0, refetchInterval.budget(windowMs))) {
        pending.delete(socketId);
        for (const update of delayedUpdates) {
          const socketIds = currentRecipients.get(update) ?? recipientSockets(update, live.adapter.rooms);
          currentRecipients.set(update, socketIds);
          // Recipients who lost access in the meantime receive nothing.
          if (socketIds.has(socketId)) addUpdate(dueUpdates, [socketId], update);
        }
      }
      return dueUpdates;
    },
    hasPending: () => pending.size > 0,
  };
}

/** New messages are pushed with their content; edits and deletions cause a refetch. */
const triggersListRefetch = ({ resource, action }: Change) =>
  resource === 'conversation' || (resource === 'message' && action !== 'created');

function addUpdate(updates: UpdatesBySocket, socketIds: Iterable<string>, update: LiveUpdate): void {
  for (const socketId of socketIds) {
    const socketUpdates = updates.get(socketId);
    if (socketUpdates) socketUpdates.push(update);
    else updates.set(socketId, [update]);
  }
}
