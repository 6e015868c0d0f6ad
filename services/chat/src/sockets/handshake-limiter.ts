import type { Socket } from 'socket.io';

type Connection = Socket['conn'];

/** Allows a connection one handshake per namespace, and a retry of each. */
export const MAX_IN_FLIGHT = 4;
export const MAX_REJECTED = 10;

export type HandshakeLimiter = {
  /** Returns undefined if the handshake must be rejected unchecked. */
  begin(connection: Connection): ((isAccepted: boolean) => void) | undefined;
  reject(connection: Connection): void;
};

/** Limits guesses of tokens per connection; the gateway limits connections. */
export function createHandshakeLimiter(): HandshakeLimiter {
  const countsByConnection = new WeakMap<Connection, { inFlight: number; rejected: number }>();
  const getCounts = (connection: Connection) => {
    const counts = countsByConnection.get(connection) ?? { inFlight: 0, rejected: 0 };
    countsByConnection.set(connection, counts);
    return counts;
  };
  const reject = (connection: Connection) => {
    const counts = getCounts(connection);
    counts.rejected += 1;
    // Closes after the rejection is queued, because closing still sends queued packets.
    if (counts.rejected === MAX_REJECTED) setImmediate(() => connection.close());
  };
  return {
    begin(connection) {
      const counts = getCounts(connection);
      if (counts.inFlight >= MAX_IN_FLIGHT || counts.rejected >= MAX_REJECTED) {
        reject(connection);
        return undefined;
      }
      counts.inFlight += 1;
      return (isAccepted) => {
        counts.inFlight -= 1;
        if (!isAccepted) reject(connection);
      };
    },
    reject,
  };
}
