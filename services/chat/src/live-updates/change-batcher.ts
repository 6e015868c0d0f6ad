import type { LiveUpdate } from '@atrium/proto-events/live-updates/live-update';
import type { UserSummary } from '@atrium/proto-events/people';
import type { Change } from '@atrium/proto-events/realtime';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import { mergeChanges, resourceKey } from './merge-changes.ts';
import { selectRooms } from './recipients.ts';

const MIN_BATCH_MS = 250;
/** Thousands of sockets receive fewer frames, but each change within a second of its commit. */
const BATCH_MS_PER_SOCKET = 0.2;
const MAX_BATCH_MS = 800;
/** A frame with more changes, or more bytes of items, has no items: browsers request what they show. */
export const MAX_ITEMS_PER_FRAME = 200;
/** Further changes follow in the next frame, because a long frame would exceed what a connection may queue. */
export const MAX_CHANGES_PER_FRAME = 1_000;
/** Half of what a connection may queue. */
export const MAX_ITEM_BYTES_PER_FRAME = 512 * 1024;
/** What the browsers of a pod may request because of one frame. */
const REQUESTS_PER_SECOND = 200;
/** Keeps the position of a browser that receives no changes within the replay window. */
const POSITION_INTERVAL_MS = 20 * 60_000;

export type ChangeBatcher = {
  /** Must be called before the position includes the update. */
  add(update: LiveUpdate): void;
  close(): void;
};

type Batch = {
  rooms: readonly string[];
  changes: Change[];
  /** The keys of the changed resources. */
  resources: Set<string>;
  startPosition: string;
  timer: NodeJS.Timeout;
};

type Deps = {
  live: Pick<LiveNamespace, 'local' | 'adapter'>;
  currentPosition: () => string;
  listPeople: (changes: readonly Change[]) => UserSummary[];
};

/** Collects the changes for the same rooms for a short time, and sends them to the sockets of this pod as one frame. */
export function createChangeBatcher({ live, currentPosition, listPeople }: Deps): ChangeBatcher {
  /** In the order of their first changes. */
  const batches = new Map<string, Batch>();
  /** A position covers all rooms, so it precedes every change that waits. */
  const getPosition = () => batches.values().next().value?.startPosition ?? currentPosition();
  const countSockets = (rooms: readonly string[]) =>
    rooms.reduce((sum, room) => sum + (live.adapter.rooms.get(room)?.size ?? 0), 0);
  const takeChanges = (key: string, batch: Batch): Change[] => {
    const merged = mergeChanges(batch.changes);
    batch.changes = merged.splice(MAX_CHANGES_PER_FRAME);
    // Otherwise it stays in its place, so that the position still precedes it.
    if (batch.changes.length === 0) batches.delete(key);
    else batch.timer = setTimeout(send, MIN_BATCH_MS, key);
    return limitItems(merged);
  };
  const send = (key: string) => {
    const batch = batches.get(key);
    if (!batch) return;
    clearTimeout(batch.timer);
    const rooms = batch.rooms.filter((room) => live.adapter.rooms.has(room));
    // An empty list of rooms would select every socket.
    if (rooms.length === 0) return void batches.delete(key);
    const changes = takeChanges(key, batch);
    const people = listPeople(changes);
    const spreadMs = toSpread(countSockets(rooms));
    live.local.to(rooms).emit('changed', {
      changes,
      ...(people.length > 0 && { people }),
      position: getPosition(),
      ...(spreadMs > 0 && { spreadMs }),
    });
  };
  const startBatch = (key: string, rooms: readonly string[]): Batch => {
    const delay = Math.min(countSockets(rooms) * BATCH_MS_PER_SOCKET, MAX_BATCH_MS);
    const timer = setTimeout(send, Math.max(delay, MIN_BATCH_MS), key);
    const batch = { rooms, changes: [], resources: new Set<string>(), startPosition: currentPosition(), timer };
    batches.set(key, batch);
    return batch;
  };
  const addTo = (rooms: readonly string[], change: Change) => {
    const key = rooms.join();
    const batch = batches.get(key) ?? startBatch(key, rooms);
    batch.changes.push(change);
    batch.resources.add(resourceKey(change));
    // Their service has collected them.
    if (change.resource === 'project-counts' || change.resource === 'user-counts') send(key);
  };
  const positionTimer = setInterval(() => {
    live.local.emit('position', { position: getPosition() });
  }, POSITION_INTERVAL_MS).unref();
  /**
   * Sends the earlier changes of the resource that wait for other rooms, because each frame contains whole items. A new
   * name follows every item with the previous one. Private changes have no items, so that their order does not matter.
   */
  const sendPredecessors = ({ audience, change }: LiveUpdate, ownKeys: readonly string[]) => {
    if (audience !== 'everyone') return;
    const resource = resourceKey(change);
    const isNewName = change.tags.includes('people');
    for (const [key, { resources }] of batches)
      if (!ownKeys.includes(key) && (isNewName || resources.has(resource))) send(key);
  };
  return {
    add(update) {
      const roomLists = selectRooms(update, live.adapter.rooms);
      sendPredecessors(
        update,
        roomLists.map((rooms) => rooms.join()),
      );
      for (const rooms of roomLists) addTo(rooms, update.change);
    },
    close() {
      clearInterval(positionTimer);
      for (const key of [...batches.keys()]) send(key);
    },
  };
}

function limitItems(changes: Change[]): Change[] {
  const isSmall = () => Buffer.byteLength(JSON.stringify(changes.map(({ item }) => item))) <= MAX_ITEM_BYTES_PER_FRAME;
  if (changes.length <= MAX_ITEMS_PER_FRAME && isSmall()) return changes;
  return changes.map(({ item: _item, previous: _previous, ...change }) => change);
}

/** Returns how long browsers spread requests for what they cannot patch. */
const toSpread = (sockets: number): number =>
  sockets > REQUESTS_PER_SECOND ? Math.ceil((sockets / REQUESTS_PER_SECOND) * 1_000) : 0;
