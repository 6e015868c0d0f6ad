import { EventEmitter, once } from 'node:events';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Server } from 'socket.io';
import type { SocketMetrics } from './socket-metrics.ts';
import type { ChatSocket } from './socket-server.ts';

/** A connection below the sockets: one carries both namespaces of a browser. */
export type Connection = ChatSocket['conn'];

const SWEEP_MS = 1_000;
const MOST_WAITING_PACKETS = 2_000;
const MOST_WAITING_BYTES = 1024 * 1024;
/** How long a client may take to say good-bye. */
const FAREWELL_MS = 1_000;

export type Connections = {
  /** From when the server is attached. */
  watch(io: Server): void;
  /** Resolves when all are closed; who does not answer within a second is cut off. */
  closeAll(io: Server): Promise<void>;
};

/**
 * All connections of this pod. One that takes less than it is sent is ended before what waits for it fills this process; its client
 * comes back and catches up by `seq`.
 */
export function createConnections(log: Logger, metrics: SocketMetrics): Connections {
  const open = new Set<Connection>();
  const sweep = setInterval(() => {
    for (const connection of open) {
      const waiting = waitingFor(connection);
      if (waiting.packets < MOST_WAITING_PACKETS && waiting.bytes < MOST_WAITING_BYTES) continue;
      metrics.countSlow();
      log.warn(waiting, 'a connection that does not keep up is closed');
      terminate(connection);
    }
  }, SWEEP_MS).unref();
  return {
    watch(io) {
      io.engine.on('connection', (connection: Connection) => {
        open.add(connection);
        connection.on('packetCreate', metrics.countDelivery);
        connection.once('close', () => open.delete(connection));
      });
    },
    async closeAll(io) {
      clearInterval(sweep);
      const ends = [...open].map((connection) => ({ connection, ended: whenEnded(connection) }));
      // Connections rather than sockets: a client that is told "disconnect" stays away, one whose connection ends comes back.
      void io.close();
      const hurry = setTimeout(() => {
        for (const { connection } of ends) terminate(connection);
      }, FAREWELL_MS);
      await Promise.all(ends.map(({ ended }) => ended));
      clearTimeout(hurry);
    },
  };
}

/** The bare WebSocket below, which engine.io does not type. */
function bareSocket({ transport }: Connection): EventEmitter | undefined {
  const bare: unknown = Reflect.get(transport, 'socket');
  return bare instanceof EventEmitter ? bare : undefined;
}

function waitingFor(connection: Connection): { packets: number; bytes: number } {
  const queue: unknown = Reflect.get(connection, 'writeBuffer');
  const packets: unknown[] = Array.isArray(queue) ? queue : [];
  const written: unknown = Reflect.get(bareSocket(connection) ?? {}, 'bufferedAmount');
  const queued = packets.reduce<number>((sum, packet) => sum + countChars(packet), 0);
  return { packets: packets.length, bytes: queued + (typeof written === 'number' ? written : 0) };
}

function countChars(packet: unknown): number {
  const data: unknown = Reflect.get(Object(packet), 'data');
  return typeof data === 'string' ? data.length : 0;
}

async function whenEnded(connection: Connection): Promise<void> {
  const bare = bareSocket(connection);
  if (bare) await once(bare, 'close').catch(() => undefined);
}

/** Closes without a farewell, for a peer that would not answer it. */
function terminate(connection: Connection): void {
  const bare = bareSocket(connection);
  const end: unknown = bare && Reflect.get(bare, 'terminate');
  if (bare && typeof end === 'function') Reflect.apply(end, bare, []);
  else connection.close(true);
}
