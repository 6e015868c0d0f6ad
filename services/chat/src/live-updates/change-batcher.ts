import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { Change } from '@atrium/proto-events/realtime';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import type { RefetchInterval } from './refetch-interval.ts';
import { createThrottledDelivery, type UpdatesBySocket } from './throttled-delivery.ts';

const WINDOW_MS = 50;
/** Message changes are only a fallback for a missed `message:new`, so they are flushed less often. */
const WINDOWS_PER_MESSAGE_FLUSH = 4;
/** Keeps the position of a browser that receives no changes within the replay window. */
const POSITION_INTERVAL_MS = 20 * 60_000;

export type ChangeBatcher = {
  add(update: LiveUpdate): void;
  advancePosition(): void;
  close(): void;
};

/**
 * Collects updates for a short time, and sends them to the sockets of this pod as one `changed` event each. Positions
 * ignore throttled updates, because browsers refetch all of chat after a reconnect.
 */
export function createChangeBatcher(
  live: Pick<LiveNamespace, 'local' | 'adapter'>,
  currentPosition: () => string,
  refetchInterval: Pick<RefetchInterval, 'pacing' | 'budget'>,
): ChangeBatcher {
  let pendingUpdates: LiveUpdate[] = [];
  let position = currentPosition();
  let timer: NodeJS.Timeout | undefined;
  let windows = 0;
  const delivery = createThrottledDelivery({ live, refetchInterval });
  const send = (updates: UpdatesBySocket) => {
    const updateNumbers = new Map([...new Set([...updates.values()].flat())].map((update, number) => [update, number]));
    const getUpdateNumbers = (socketId: string) => updates.get(socketId)?.map((update) => updateNumbers.get(update));
    for (const socketIds of Map.groupBy(updates.keys(), (socketId) => getUpdateNumbers(socketId)?.join()).values()) {
      const [firstSocketId = ''] = socketIds;
      const changes = mergeChanges((updates.get(firstSocketId) ?? []).flatMap((update) => update.changes));
      live.local.to(socketIds).emit('changed', { changes, position, ...refetchInterval.pacing() });
    }
  };
  const flush = (isLast: boolean) => {
    windows += 1;
    const includesMessages = isLast || windows >= WINDOWS_PER_MESSAGE_FLUSH;
    if (includesMessages) windows = 0;
    const dueUpdates = pendingUpdates.filter((update) => includesMessages || !isMessageUpdate(update));
    pendingUpdates = pendingUpdates.filter((update) => !dueUpdates.includes(update));
    send(delivery.next(dueUpdates, isLast ? Number.POSITIVE_INFINITY : WINDOW_MS));
    advancePosition();
  };
  const advancePosition = () => {
    if (pendingUpdates.length === 0) position = currentPosition();
  };
  const scheduleFlush = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush(false);
      if (pendingUpdates.length > 0 || delivery.hasPending()) scheduleFlush();
    }, WINDOW_MS);
  };
  const positionTimer = setInterval(() => live.local.emit('position', { position }), POSITION_INTERVAL_MS).unref();
  return {
    add(update) {
      pendingUpdates.push(update);
      scheduleFlush();
    },
    advancePosition,
    close() {
      clearTimeout(timer);
      clearInterval(positionTimer);
      flush(true);
    },
  };
}

const isMessageUpdate = ({ changes }: LiveUpdate) => changes.every(({ resource }) => resource === 'message');

export const resourceKey = ({ resource, id }: Change): string => `${resource}:${id}`;

export function mergeChanges(changes: readonly Change[]): Change[] {
  const mergedByKey = new Map<string, Change>();
  for (const change of changes) {
    const key = resourceKey(change);
    const previous = mergedByKey.get(key);
    mergedByKey.delete(key);
    mergedByKey.set(key, previous ? mergePair(previous, change) : change);
  }
  return [...mergedByKey.values()];
}

/**
 * The higher version wins, because events can arrive out of order. For messages, versions are seqs, and those of created
 * ones merge into a range.
 */
function mergePair(previous: Change, change: Change): Change {
  const previousFields = previous.changed;
  const fields = change.changed;
  const {
    changed: _changed,
    from: _from,
    asAdmin: _asAdmin,
    ...latest
  } = change.action === 'deleted' || change.version >= previous.version ? change : previous;
  const createdMessages = [previous, change].filter(
    ({ resource, action }) => resource === 'message' && action === 'created',
  );
  const firstSeq = Math.min(...createdMessages.map(({ from, version: seq }) => from ?? seq));
  const lastSeq = Math.max(previous.version, change.version);
  const revision = Math.max(previous.revision ?? 0, change.revision ?? 0);
  return {
    ...latest,
    ...(createdMessages.length > 0 && {
      action: 'created',
      version: lastSeq,
      ...(firstSeq < lastSeq && { from: firstSeq }),
    }),
    ...(revision > 0 && { revision }),
    // Omits `asAdmin` if one of the two changes concerns the user's own lists.
    ...(previous.asAdmin && change.asAdmin && { asAdmin: true }),
    ...(previousFields && fields && { changed: [...new Set([...previousFields, ...fields])] }),
  };
}
