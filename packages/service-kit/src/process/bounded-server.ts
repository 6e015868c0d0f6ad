import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { dropAbandonedRequests } from './drop-abandoned-requests.ts';

export type ServerLimits = {
  /** How long a whole request may take to arrive. */
  requestMs: number;
  headersMs: number;
  /**
   * Whether connections are to be let go with their next answer. Who keeps one would send the next request on it in the moment in
   * which it closes, and get no answer; and where a balancer sends new connections to a pod that is ready, one that is kept would
   * lead on to this one.
   */
  isDraining(): boolean;
  /** Whether a request is to become a socket; by default a WebSocket where the server has sockets. */
  wantsUpgrade?: ((req: IncomingMessage) => boolean) | undefined;
};

/** Whether the offer to change the protocol is the one that we take. Others, such as h2c, are ignored (RFC 9110, 7.8). */
export const isWebSocketOffer = ({ upgrade }: IncomingHttpHeaders): boolean => upgrade?.toLowerCase() === 'websocket';

/** A server with the bounds that every process of ours has, and that skips what was given up while the process stood still. */
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
      // Longer than the usual 60 seconds of a load balancer, which must be the one to hang up.
      keepAliveTimeout: 75_000,
      // Else every offer would become a socket that nobody answers.
      shouldUpgradeCallback:
        wantsUpgrade ?? (({ headers }) => isWebSocketOffer(headers) && server.listenerCount('upgrade') > 0),
    },
    incoming.listener,
  );
  server.once('close', incoming.close);
  return server;
}
