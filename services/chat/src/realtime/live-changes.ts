import type { Change } from '@atrium/proto-events/realtime';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import type { Fanned } from './fanout.ts';

export type LiveChanges = {
  /** Resolves once the change has been sent, with all others to the same audience within the window. */
  tell(fanned: Fanned): Promise<void>;
  /** Sends what waits; whatever comes afterwards is refused, so that another pod gets it. */
  close(): void;
};

type Batch = { rooms: string[]; changes: Map<string, Change>; sent: Promise<void>; send(): void };

/** Gathers changes for `windowMs` and sends those to one audience in one go; of one resource only the latest. */
export function createLiveChanges(live: Pick<LiveNamespace, 'to'>, windowMs: number): LiveChanges {
  const open = new Map<string, Batch>();
  let closed = false;
  const begin = (audience: string, rooms: string[]): Batch => {
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const changes: Batch['changes'] = new Map();
    const send = () => {
      clearTimeout(timer);
      open.delete(audience);
      live.to(rooms).emit('changed', { changes: [...changes.values()] });
      resolve();
    };
    const timer = setTimeout(send, windowMs);
    const batch = { rooms, changes, sent, send };
    open.set(audience, batch);
    return batch;
  };
  return {
    async tell({ rooms, changes }) {
      if (closed) throw new Error('this pod is closing');
      // No rooms at all would mean everybody.
      if (rooms.length === 0) return;
      const audience = rooms.join();
      const batch = open.get(audience) ?? begin(audience, rooms);
      for (const change of changes) {
        const key = `${change.resource}:${change.id}`;
        const known = batch.changes.get(key);
        if (!known || change.action === 'deleted' || change.version >= known.version) batch.changes.set(key, change);
      }
      await batch.sent;
    },
    close() {
      closed = true;
      for (const { send } of [...open.values()]) send();
    },
  };
}
