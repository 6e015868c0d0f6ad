import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BaseConfig } from '../config/env.ts';

type ServerLimits = {
  requestMs: number;
  headersMs: number;
  /**
   * Whether to close connections with their next response. Otherwise a client could send its next request on a
   * connection that is being closed and get no response; and an open connection would bypass a load balancer, which
   * sends only new connections to ready pods.
   */
  isDraining(): boolean;
  wantsUpgrade?: ((req: IncomingMessage) => boolean) | undefined;
};

/** Whether the upgrade offer is for a WebSocket. Others, such as h2c, are ignored (RFC 9110, 7.8). */
export const isWebSocketOffer = ({ upgrade }: IncomingHttpHeaders): boolean => upgrade?.toLowerCase() === 'websocket';

/** Creates a server with the standard limits that drops requests abandoned while the process was paused. */
export function createBoundedServer(
  handleRequest: RequestListener,
  { requestMs, headersMs, isDraining, wantsUpgrade }: ServerLimits,
): Server {
  const incoming = dropAbandonedRequests((req, res) => {
    if (isDraining()) res.shouldKeepAlive = false;
    handleRequest(req, res);
  });
  const server: Server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: headersMs,
      connectionsCheckingInterval: 2_000,
      // Longer than the usual 60 seconds of a load balancer, which must close first.
      keepAliveTimeout: 75_000,
      // Otherwise every offer would become an unhandled socket.
      shouldUpgradeCallback:
        wantsUpgrade ?? (({ headers }) => isWebSocketOffer(headers) && server.listenerCount('upgrade') > 0),
    },
    incoming.listener,
  );
  server.once('close', incoming.close);
  return server;
}

const HEARTBEAT_MS = 250;
/** Exceeds the pauses of garbage collection and of a busy machine, and is shorter than users wait. */
const PAUSE_THRESHOLD_MS = 1_500;
const RECOVERY_MS = 2_000;

/**
 * Passes requests on, except those whose senders gave up while this process (or its machine) was paused. Such a sender
 * has since used another pod: a late change would undo its newer ones, and a late token refresh would end its session
 * as stolen. The disconnect follows the request in the stream, so requests wait until it has been read.
 */
export function dropAbandonedRequests(handleRequest: RequestListener): { listener: RequestListener; close(): void } {
  let lastHeartbeat = performance.now();
  let recoveringUntil = 0;
  const updateHeartbeat = (): void => {
    const now = performance.now();
    // Pending input is read before timers run.
    if (now - lastHeartbeat > PAUSE_THRESHOLD_MS) recoveringUntil = now + RECOVERY_MS;
    lastHeartbeat = now;
  };
  const timer = setInterval(updateHeartbeat, HEARTBEAT_MS).unref();
  const handleUnlessDisconnected: RequestListener = async (req, res) => {
    // The first turn ends with pending input; the disconnect arrives with the next one.
    await nextTurn();
    await nextTurn();
    if (!isDisconnected(req)) handleRequest(req, res);
  };
  return {
    listener(req, res) {
      updateHeartbeat();
      if (performance.now() < recoveringUntil) handleUnlessDisconnected(req, res);
      else handleRequest(req, res);
    },
    close: () => clearInterval(timer),
  };
}

const isDisconnected = ({ destroyed, socket }: IncomingMessage): boolean =>
  destroyed || socket.destroyed || socket.readableEnded;

/**
 * Binds a server to an address of this machine and returns the port. `::` means all, including IPv4; Node falls back
 * to `0.0.0.0` if the kernel has no IPv6.
 */
export async function listen(server: SocketServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host === '::' ? undefined : host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

export const localUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const RECHECK_MS = 50;

/**
 * Stops listening and waits for requests in flight, at most half of `SHUTDOWN_TIMEOUT_SECONDS`, since later steps
 * also need time. Node closes idle connections only once, so connections that become idle later are closed here
 * instead of waiting for their keep-alive timeout.
 */
export async function closeServer(
  server: Server,
  { SHUTDOWN_TIMEOUT_SECONDS }: Pick<BaseConfig, 'SHUTDOWN_TIMEOUT_SECONDS'>,
): Promise<void> {
  const closing = new Promise<void>((resolve) => server.close(() => resolve()));
  const idleSweep = setInterval(() => server.closeIdleConnections(), RECHECK_MS);
  const forceClose = setTimeout(() => server.closeAllConnections(), (SHUTDOWN_TIMEOUT_SECONDS / 2) * 1_000);
  await closing;
  clearInterval(idleSweep);
  clearTimeout(forceClose);
}

/** How long the server keeps reading a request after it has responded, so that the sender can read the response. */
const LINGER_MS = 10_000;

/**
 * Closes the connection of a request that got its response before it had arrived completely, instead of reading the
 * rest. The close is delayed, since an immediate one would reset the connection and lose the response.
 */
export function closeConnectionAfterEarlyResponse(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (req.complete) return;
    req.resume();
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MS).unref();
    req.once('end', () => clearTimeout(timer));
  });
}
