import type { Change } from '@atrium/proto-events/realtime';
import type { Pace } from '../sockets/refetch-interval.ts';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import type { LiveUpdate } from './change-mappers/live-update.ts';
import { createTurns, type UpdatesBySocket } from './throttled-delivery.ts';

const WINDOW_MS = 50;
/** Of messages, which come by themselves, these are only for whoever has missed one. */
const MESSAGE_WINDOWS = 4;
/** Whoever is told of nothing hears so often where everybody stands, and is not taken for one who was away for an hour. */
const STANDING_EVERY_MS = 20 * 60_000;

export type ChangeBatcher = {
  /** Tells the sockets of this pod, with whatever else they are told within the window. */
  tell(told: LiveUpdate): void;
  /** What has been heard so far has been told, or need not be. */
  settle(): void;
  /** Tells what waits. */
  close(): void;
};

/**
 * Gathers what is told and sends it in one piece to each socket; of one thing only the latest, of all its fields. With it goes the position
 * of when everything that had been heard was sent: what a connection loses is behind that, but for what it waited for in a crowd, as
 * browsers ask again for all of chat after a reconnect.
 */
export function createLiveChanges(
  live: Pick<LiveNamespace, 'local' | 'adapter'>,
  positionNow: () => string,
  pace: Pick<Pace, 'told' | 'turns'>,
): ChangeBatcher {
  let waiting: LiveUpdate[] = [];
  let position = positionNow();
  let timer: NodeJS.Timeout | undefined;
  let windows = 0;
  const turns = createTurns({ live, pace });
  const send = (heard: UpdatesBySocket) => {
    const numbers = new Map([...new Set([...heard.values()].flat())].map((told, number) => [told, number]));
    const numbersOf = (socketId: string) => heard.get(socketId)?.map((told) => numbers.get(told));
    // Whoever is told the same gets the same bytes, made once.
    for (const socketIds of Map.groupBy(heard.keys(), (socketId) => numbersOf(socketId)?.join()).values()) {
      const [first = ''] = socketIds;
      const changes = latestOf((heard.get(first) ?? []).flatMap((told) => told.changes));
      live.local.to(socketIds).emit('changed', { changes, position, ...pace.told() });
    }
  };
  const flush = (isLast: boolean) => {
    windows += 1;
    const hasWaited = isLast || windows >= MESSAGE_WINDOWS;
    if (hasWaited) windows = 0;
    const due = waiting.filter((told) => hasWaited || !isOfMessages(told));
    waiting = waiting.filter((told) => !due.includes(told));
    send(turns.next(due, isLast ? Number.POSITIVE_INFINITY : WINDOW_MS));
    settle();
  };
  const settle = () => {
    if (waiting.length === 0) position = positionNow();
  };
  const arm = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush(false);
      if (waiting.length > 0 || turns.isWaiting()) arm();
    }, WINDOW_MS);
  };
  const standing = setInterval(() => live.local.emit('position', { position }), STANDING_EVERY_MS).unref();
  return {
    tell(told) {
      waiting.push(told);
      arm();
    },
    settle,
    close() {
      clearTimeout(timer);
      clearInterval(standing);
      flush(true);
    },
  };
}

const isOfMessages = ({ changes }: LiveUpdate) => changes.every(({ resource }) => resource === 'message');

export const nameOf = ({ resource, id }: Change): string => `${resource}:${id}`;

/** Of each thing the latest, of the fields of all, in the order in which they last changed. */
export function latestOf(changes: readonly Change[]): Change[] {
  const latest = new Map<string, Change>();
  for (const change of changes) {
    const key = nameOf(change);
    const before = latest.get(key);
    latest.delete(key);
    latest.set(key, before ? both(before, change) : change);
  }
  return [...latest.values()];
}

/**
 * Of two that crossed on the way the later version counts. Of what was made and then changed nobody says which fields. Of messages, of
 * which one conversation has many, it stays known which were said, from the first to the last, and the last revision.
 */
function both(before: Change, change: Change): Change {
  const [first, second] = [before.changed, change.changed];
  const {
    changed: _one,
    from: _first,
    asAdmin: _as,
    ...latest
  } = change.action === 'deleted' || change.version >= before.version ? change : before;
  const said = [before, change].filter(({ resource, action }) => resource === 'message' && action === 'created');
  const from = Math.min(...said.map((one) => one.from ?? one.version));
  const to = Math.max(before.version, change.version);
  const revision = Math.max(before.revision ?? 0, change.revision ?? 0);
  return {
    ...latest,
    ...(said.length > 0 && { action: 'created', version: to, ...(from < to && { from }) }),
    ...(revision > 0 && { revision }),
    // What was theirs in between may be in their lists.
    ...(before.asAdmin && change.asAdmin && { asAdmin: true }),
    ...(first && second && { changed: [...new Set([...first, ...second])] }),
  };
}
