import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { dropAbandonedRequests } from './drop-abandoned-requests.ts';

export type ServerLimits = {
  /** Maximum time for a complete request to arrive. */
  requestMs: number;
  headersMs: number;
  /**
   * Whether to close connections with their next response. A client would otherwise send its next request on a
   * connection while it closes, without a response; and a kept connection would bypass a balancer that sends new ones
   * to ready pods.
   */
  isDraining(): boolean;
  /** Whether to upgrade a request to a socket; by default, a WebSocket if the server has sockets. */
  wantsUpgrade?: ((req: IncomingMessage) => boolean) | undefined;
};

/** Whether the upgrade offer is for a WebSocket. Others, such as h2c, are ignored (RFC 9110, 7.8). */
export const isWebSocketOffer = ({ upgrade }: IncomingHttpHeaders): boolean => upgrade?.toLowerCase() === 'websocket';

/** An HTTP server with the standard limits, which drops requests that were abandoned while the process was paused. */
export function createBoundedServer(
  pass: RequestListener,
  { requestMs, headersMs, isDraining, wantsUpgrade }: ServerLimits,
): Server {
  const incoming = dropAbandonedRequests((req, res) => {
    if (isDraining()) res.shouldKeepAlive = false;
    pass(req, res);
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
