import type { Socket } from 'socket.io';

/** A connection below the sockets. */
type Connection = Socket['conn'];

/** One for each namespace, and a second of either for a client that is impatient. */
export const MOST_UNDER_WAY = 4;
/** As often somebody may be refused on one connection, who comes with a fresh token each time. */
export const MOST_REFUSED = 10;

export type Handshakes = {
  /** Counts one more until it is told whether it was let in. Undefined where it is refused without a look: too many are under way. */
  begin(connection: Connection): ((isAdmitted: boolean) => void) | undefined;
  /** Counts one that is refused in any case. */
  refuse(connection: Connection): void;
};

/** Whoever sends one forged token after the other has to make a connection for each few of them, and the gateway counts those. */
export function createHandshakes(): Handshakes {
  const known = new WeakMap<Connection, { underWay: number; refused: number }>();
  const of = (connection: Connection) => {
    const counts = known.get(connection) ?? { underWay: 0, refused: 0 };
    known.set(connection, counts);
    return counts;
  };
  const refuse = (connection: Connection) => {
    const counts = of(connection);
    counts.refused += 1;
    // Once the refusal is written: closing waits for what is to be sent, and takes no more.
    if (counts.refused === MOST_REFUSED) setImmediate(() => connection.close());
  };
  return {
    begin(connection) {
      const counts = of(connection);
      if (counts.underWay >= MOST_UNDER_WAY || counts.refused >= MOST_REFUSED) {
        refuse(connection);
        return undefined;
      }
      counts.underWay += 1;
      return (isAdmitted) => {
        counts.underWay -= 1;
        if (!isAdmitted) refuse(connection);
      };
    },
    refuse,
  };
}
