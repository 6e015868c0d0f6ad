import type { Change } from '@atrium/proto-events/realtime';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import type { LiveUpdate } from './audience.ts';
import type { RefetchInterval } from './refetch-interval.ts';
import { createThrottledDelivery, type UpdatesBySocket } from './throttled-delivery.ts';

const WINDOW_MS = 50;
/** Message changes are only a fallback for a missed `message:new`, so they are flushed less often. */
const WINDOWS_PER_MESSAGE_FLUSH = 4;
/** Keeps the position of an idle client within the replay window. */
const POSITION_INTERVAL_MS = 20 * 60_000;

export type ChangeBatcher = {
  add(update: LiveUpdate): void;
  advancePosition(): void;
  close(): void;
};

/** Positions ignore throttled updates, because browsers refetch all of chat after a reconnect. */
export function createChangeBatcher(
  live: Pick<LiveNamespace, 'local' | 'adapter'>,
  currentPosition: () => string,
  refetchInterval: Pick<RefetchInterval, 'hint' | 'budget'>,
): ChangeBatcher {
  let waiting: LiveUpdate[] = [];
  let position = currentPosition();
  let timer: NodeJS.Timeout | undefined;
  let windows = 0;
  const delivery = createThrottledDelivery({ live, refetchInterval });
  const send = (updates: UpdatesBySocket) => {
    const numbers = new Map([...new Set([...updates.values()].flat())].map((update, number) => [update, number]));
    const numbersOf = (socketId: string) => updates.get(socketId)?.map((update) => numbers.get(update));
    for (const socketIds of Map.groupBy(updates.keys(), (socketId) => numbersOf(socketId)?.join()).values()) {
      const [first = ''] = socketIds;
      const changes = mergeChanges((updates.get(first) ?? []).flatMap((update) => update.changes));
      live.local.to(socketIds).emit('changed', { changes, position, ...refetchInterval.hint() });
    }
  };
  const flush = (isLast: boolean) => {
    windows += 1;
    const includesMessages = isLast || windows >= WINDOWS_PER_MESSAGE_FLUSH;
    if (includesMessages) windows = 0;
    const due = waiting.filter((update) => includesMessages || !isMessageUpdate(update));
    waiting = waiting.filter((update) => !due.includes(update));
    send(delivery.next(due, isLast ? Number.POSITIVE_INFINITY : WINDOW_MS));
    advancePosition();
  };
  const advancePosition = () => {
    if (waiting.length === 0) position = currentPosition();
  };
  const arm = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush(false);
      if (waiting.length > 0 || delivery.hasPending()) arm();
    }, WINDOW_MS);
  };
  const positionTimer = setInterval(() => live.local.emit('position', { position }), POSITION_INTERVAL_MS).unref();
  return {
    add(update) {
      waiting.push(update);
      arm();
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
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const key = resourceKey(change);
    const previous = merged.get(key);
    merged.delete(key);
    merged.set(key, previous ? mergePair(previous, change) : change);
  }
  return [...merged.values()];
}

/** The higher version wins, because events can arrive out of order. */
function mergePair(previous: Change, change: Change): Change {
  const [first, second] = [previous.changed, change.changed];
  const {
    changed: _changed,
    from: _from,
    asAdmin: _asAdmin,
    ...latest
  } = change.action === 'deleted' || change.version >= previous.version ? change : previous;
  const created = [previous, change].filter(({ resource, action }) => resource === 'message' && action === 'created');
  const from = Math.min(...created.map(({ from, version }) => from ?? version));
  const to = Math.max(previous.version, change.version);
  const revision = Math.max(previous.revision ?? 0, change.revision ?? 0);
  return {
    ...latest,
    ...(created.length > 0 && { action: 'created', version: to, ...(from < to && { from }) }),
    ...(revision > 0 && { revision }),
    // Dropped if one of the two concerns the user's own lists.
    ...(previous.asAdmin && change.asAdmin && { asAdmin: true }),
    ...(first && second && { changed: [...new Set([...first, ...second])] }),
  };
}
