import type { Change } from '@atrium/proto-events/realtime';
import type { Pace } from '../sockets/refetch-interval.ts';
import type { LiveNamespace } from '../sockets/socket-server.ts';
import { recipientSockets } from './audience.ts';
import type { LiveUpdate } from './change-mappers/live-update.ts';

/** More sockets of this pod than these are told of a conversation one after the other: each asks for a list of its own then. */
export const MOST_AT_ONCE = 200;

/** What each of these sockets is told. */
export type UpdatesBySocket = Map<string, LiveUpdate[]>;

export type Turns = {
  /** Of these and of what has waited, what is told within so many milliseconds. */
  next(some: readonly LiveUpdate[], withinMs: number): UpdatesBySocket;
  /** Whether somebody waits for their turn. */
  isWaiting(): boolean;
};

type Parts = { live: { adapter: Pick<LiveNamespace['adapter'], 'rooms'> }; pace: Pick<Pace, 'turns'> };

/** Has what makes a crowd ask for lists told to as many in a moment as those lists may be asked for. */
export function createTurns({ live, pace }: Parts): Turns {
  const crowd: UpdatesBySocket = new Map();
  return {
    next(some, withinMs) {
      const heard: UpdatesBySocket = new Map();
      for (const told of some) {
        const socketIds = recipientSockets(told, live.adapter.rooms);
        const isCrowd = socketIds.size > MOST_AT_ONCE && told.changes.some(makesAskForLists);
        hear(isCrowd ? crowd : heard, socketIds, told);
      }
      const stillTold = new Map<LiveUpdate, ReadonlySet<string>>();
      for (const [socketId, all] of [...crowd].slice(0, pace.turns(withinMs))) {
        crowd.delete(socketId);
        for (const told of all) {
          const socketIds = stillTold.get(told) ?? recipientSockets(told, live.adapter.rooms);
          stillTold.set(told, socketIds);
          // Who may not know it any more hears nothing of it.
          if (socketIds.has(socketId)) hear(heard, [socketId], told);
        }
      }
      return heard;
    },
    isWaiting: () => crowd.size > 0,
  };
}

/** What is said comes by itself; an edit or a deletion comes so, too, and a list that may show it is asked for all the same. */
const makesAskForLists = ({ resource, action }: Change) =>
  resource === 'conversation' || (resource === 'message' && action !== 'created');

function hear(heard: UpdatesBySocket, socketIds: Iterable<string>, told: LiveUpdate): void {
  for (const socketId of socketIds) {
    const present = heard.get(socketId);
    if (present) present.push(told);
    else heard.set(socketId, [told]);
  }
}
