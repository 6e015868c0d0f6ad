import net from 'node:net';
import tls from 'node:tls';
import { IDLE_MS } from './upstreams.ts';

/** What one read of a socket brings at most. */
const BUFFER_BYTES = 64 * 1024;
/** Buffers that wait to be used again: two megabytes. */
const KEPT_BUFFERS = 32;
const KEPT_CONNECTIONS = 64;

/** Hears what comes on a connection. */
export type Listener = {
  /** `bytes` are those of `buffer`, which is whoever's listens until it is given back. Answers false to hear no more until `resume`. */
  onBytes(bytes: Buffer, buffer: Buffer): boolean;
  /** It has ended, with or without a word. */
  onEnd(): void;
};

/** A connection to the object store, for one exchange after the other. */
export type StoreConnection = {
  socket: net.Socket;
  /** It has answered before. */
  isUsed: boolean;
  listener: Listener | undefined;
};

/**
 * Connections whose reads go into few buffers that are used again and again. Node's HTTP client makes two new ones for each 64 KiB, and
 * collecting them costs more than reading and writing together.
 */
export function createStoreConnections({ protocol, hostname, port }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isSecure = protocol === 'https:';
  const idle: StoreConnection[] = [];
  const buffers: Buffer[] = [];
  const give = (buffer: Buffer) => void (buffers.length < KEPT_BUFFERS && buffers.push(buffer));
  const take = () => buffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);

  const open = (): StoreConnection => {
    let buffer = take();
    const options = {
      host,
      port: Number(port) || (isSecure ? 443 : 80),
      onread: {
        buffer: () => buffer,
        callback(length: number) {
          const full = buffer;
          // Whoever listens keeps it for as long as it is being written.
          buffer = take();
          if (connection.listener) return connection.listener.onBytes(full.subarray(0, length), full);
          // Nobody has asked for anything.
          connection.socket.destroy();
          return false;
        },
      },
    };
    const socket = isSecure
      ? tls.connect({ ...options, servername: net.isIP(host) ? '' : host })
      : net.connect(options);
    const connection: StoreConnection = { socket, isUsed: false, listener: undefined };
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('timeout', () => void (connection.listener ?? socket.destroy()));
    socket.on('close', () => {
      const at = idle.indexOf(connection);
      if (at !== -1) idle.splice(at, 1);
      const { listener } = connection;
      connection.listener = undefined;
      listener?.onEnd();
    });
    return connection;
  };

  return {
    give,
    /** The one that was used last, or a new one. */
    take(isFresh: boolean): StoreConnection {
      const connection = (isFresh ? undefined : idle.pop()) ?? open();
      connection.socket.ref();
      return connection;
    },
    /** Keeps one whose answer has come to its end for the next. */
    keep(connection: StoreConnection): void {
      connection.listener = undefined;
      connection.isUsed = true;
      if (idle.length >= KEPT_CONNECTIONS) return void connection.socket.destroy();
      connection.socket.setTimeout(IDLE_MS).unref();
      connection.socket.resume();
      idle.push(connection);
    },
    close(): void {
      for (const { socket } of [...idle]) socket.destroy();
    },
  };
}
