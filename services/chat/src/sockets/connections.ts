import { EventEmitter, once } from 'node:events';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Server } from 'socket.io';
import type { SocketMetrics } from './socket-metrics.ts';
import type { ChatSocket } from './socket-server.ts';

/** Carries the sockets of both namespaces. */
export type Connection = ChatSocket['conn'];

const SWEEP_MS = 1_000;
const MAX_QUEUED_PACKETS = 2_000;
const MAX_QUEUED_BYTES = 1024 * 1024;
/** Maximum wait for a client's close frame. */
const CLOSE_TIMEOUT_MS = 1_000;

export type Connections = {
  /** Call it once the server is attached. */
  track(io: Server): void;
  closeAll(io: Server): Promise<void>;
};

/** Closes slow connections before their queues exhaust memory; their clients reconnect and catch up by `seq`. */
export function createConnections(log: Logger, metrics: SocketMetrics): Connections {
  const openConnections = new Set<Connection>();
  const sweep = setInterval(() => {
    for (const connection of openConnections) {
      const queued = measureQueue(connection);
      if (queued.packets < MAX_QUEUED_PACKETS && queued.bytes < MAX_QUEUED_BYTES) continue;
      metrics.countSlow();
      log.warn(queued, 'Closed a slow connection');
      terminate(connection);
    }
  }, SWEEP_MS).unref();
  return {
    track(io) {
      io.engine.on('connection', (connection: Connection) => {
        openConnections.add(connection);
        connection.on('packetCreate', metrics.countDelivery);
        connection.once('close', () => openConnections.delete(connection));
      });
    },
    async closeAll(io) {
      clearInterval(sweep);
      const closingConnections = [...openConnections].map((connection) => ({
        connection,
        closed: whenClosed(connection),
      }));
      // Closes connections, not sockets: clients do not reconnect automatically after a server-side disconnect.
      void io.close();
      const timer = setTimeout(() => {
        for (const { connection } of closingConnections) terminate(connection);
      }, CLOSE_TIMEOUT_MS);
      await Promise.all(closingConnections.map(({ closed }) => closed));
      clearTimeout(timer);
    },
  };
}

/** Reads a property that is missing in the types of engine.io. */
function getWebSocket({ transport }: Connection): EventEmitter | undefined {
  const webSocket: unknown = Reflect.get(transport, 'socket');
  return webSocket instanceof EventEmitter ? webSocket : undefined;
}

function measureQueue(connection: Connection): { packets: number; bytes: number } {
  const queue: unknown = Reflect.get(connection, 'writeBuffer');
  const packets: unknown[] = Array.isArray(queue) ? queue : [];
  const bufferedBytes: unknown = Reflect.get(getWebSocket(connection) ?? {}, 'bufferedAmount');
  const queued = packets.reduce<number>((sum, packet) => sum + countChars(packet), 0);
  return { packets: packets.length, bytes: queued + (typeof bufferedBytes === 'number' ? bufferedBytes : 0) };
}

function countChars(packet: unknown): number {
  const data: unknown = Reflect.get(Object(packet), 'data');
  return typeof data === 'string' ? data.length : 0;
}

async function whenClosed(connection: Connection): Promise<void> {
  const webSocket = getWebSocket(connection);
  if (webSocket) await once(webSocket, 'close').catch(() => undefined);
}

function terminate(connection: Connection): void {
  const webSocket = getWebSocket(connection);
  const terminateSocket: unknown = webSocket && Reflect.get(webSocket, 'terminate');
  if (webSocket && typeof terminateSocket === 'function') Reflect.apply(terminateSocket, webSocket, []);
  else connection.close(true);
}
