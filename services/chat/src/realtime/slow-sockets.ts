import type { Logger } from '@atrium/service-kit/logger';
import { localSockets, type Sockets } from './socket-server.ts';

const SWEEP_MS = 1_000;
const MOST_WAITING_PACKETS = 2_000;
const MOST_WAITING_BYTES = 1024 * 1024;

type Connection =
  Sockets['chat']['sockets'] extends Map<string, infer S> ? (S extends { conn: infer C } ? C : never) : never;

/**
 * Ends connections that take less than they are sent, before what waits for them fills this process. Their clients come back and catch
 * up by `seq`.
 */
export function dropSlowSockets(sockets: Sockets, log: Logger): { close(): void } {
  const timer = setInterval(() => {
    for (const socket of localSockets(sockets)) {
      const waiting = waitingFor(socket.conn);
      if (waiting.packets < MOST_WAITING_PACKETS && waiting.bytes < MOST_WAITING_BYTES) continue;
      log.warn({ userId: socket.data.caller.userId, ...waiting }, 'a socket that does not keep up is closed');
      terminate(socket.conn);
    }
  }, SWEEP_MS).unref();
  return { close: () => clearInterval(timer) };
}

/** The bare WebSocket below, which engine.io does not type. */
function bareSocket({ transport }: Connection): object | undefined {
  const bare: unknown = Reflect.get(transport, 'socket');
  return typeof bare === 'object' && bare !== null ? bare : undefined;
}

function waitingFor(connection: Connection): { packets: number; bytes: number } {
  const queue: unknown = Reflect.get(connection, 'writeBuffer');
  const bytes: unknown = Reflect.get(bareSocket(connection) ?? {}, 'bufferedAmount');
  return { packets: Array.isArray(queue) ? queue.length : 0, bytes: typeof bytes === 'number' ? bytes : 0 };
}

/** Closes without a farewell, for a peer that would not answer it. */
export function terminate(connection: Connection): void {
  const bare = bareSocket(connection);
  const end: unknown = bare && Reflect.get(bare, 'terminate');
  if (bare && typeof end === 'function') Reflect.apply(end, bare, []);
  else connection.close(true);
}
