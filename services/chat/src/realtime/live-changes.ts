import type { Change } from '@atrium/proto-events/realtime';
import type { Fanned } from './fanout.ts';
import type { LiveNamespace } from './socket-server.ts';

export type LiveChanges = {
  /** Resolves once the change has been sent, with all others to the same audience within the window. */
  tell(fanned: Fanned): Promise<void>;
};

type Batch = { rooms: string[]; changes: Map<string, Change>; sent: Promise<void> };

/** Gathers changes for `windowMs` and sends those to one audience in one go; of one resource only the latest. */
export function createLiveChanges(live: Pick<LiveNamespace, 'to'>, windowMs: number): LiveChanges {
  const open = new Map<string, Batch>();
  const begin = (audience: string, rooms: string[]): Batch => {
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const batch: Batch = { rooms, changes: new Map(), sent };
    open.set(audience, batch);
    setTimeout(() => {
      open.delete(audience);
      live.to(rooms).emit('changed', { changes: [...batch.changes.values()] });
      resolve();
    }, windowMs);
    return batch;
  };
  return {
    async tell({ rooms, change }) {
      // No rooms at all would mean everybody.
      if (rooms.length === 0) return;
      const audience = rooms.join();
      const batch = open.get(audience) ?? begin(audience, rooms);
      const key = `${change.resource}:${change.id}`;
      const known = batch.changes.get(key);
      if (!known || change.action === 'deleted' || change.version >= known.version) batch.changes.set(key, change);
      await batch.sent;
    },
  };
}
