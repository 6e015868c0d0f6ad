import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { addressBlock } from '@atrium/service-kit/http/client-info';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { isWebSocketOffer } from '@atrium/service-kit/process/http-server';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { Config } from '../config.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import type { Cors } from '../http/cors.ts';
import { rejectUpgrade, tooManyRequests, upstreamUnavailable } from '../http/error-responses.ts';
import { type GatewayRequest, prepareHeaders } from '../http/gateway-request.ts';
import type { RateLimiters } from '../rate-limiting/rate-limit.ts';
import { getUpstreamUrl } from './upstreams.ts';

const SOCKET_PATH = '/socket.io';

/** Matches the path as sent, like the socket.io server of the chat service. */
export function wantsUpgrade({ headers, url = '' }: IncomingMessage): boolean {
  const nextCharacter = url.startsWith(SOCKET_PATH) ? url.slice(SOCKET_PATH.length, SOCKET_PATH.length + 1) : undefined;
  return isWebSocketOffer(headers) && (nextCharacter === '' || nextCharacter === '/' || nextCharacter === '?');
}

type SocketProxy = {
  upgrade(req: IncomingMessage, socket: Socket, head: Buffer, context: GatewayRequest): void;
  count(): number;
  close(): void;
};

type Options = { config: Config; rateLimiters: RateLimiters; cors: Cors; log: Logger; metrics: GatewayMetrics };

/** Chat authenticates the sockets. In a cluster, the ingress forwards them instead. */
export function createSocketProxy({ config, rateLimiters, cors, log, metrics }: Options): SocketProxy {
  const openSockets = new Set<Socket>();
  const upgradedSockets = new WeakSet<Socket>();
  const plugin: Plugin = (proxyServer) => {
    proxyServer.on('proxyReqWs', (proxyReq, _req, client) => {
      proxyReq.once('upgrade', (_response, upstream) => {
        upgradedSockets.add(client);
        // Piping closes the other side only after a clean end.
        client.once('close', () => upstream.destroy());
        upstream.once('close', () => client.destroy());
      });
    });
    proxyServer.on('error', (error, req, client) => {
      if (!req || !client || 'req' in client) return;
      metrics.upstreamFailures.inc({ upstream: 'chat' });
      log.warn({ err: error, upstream: 'chat', requestId: req.headers['x-request-id'] }, 'Failed to forward socket');
      const socket = client as unknown as Socket;
      // No HTTP response can be sent after the handshake.
      if (upgradedSockets.has(socket)) socket.destroy();
      else rejectUpgrade(socket, upstreamUnavailable(), String(req.headers['x-request-id']));
    });
  };
  const proxy = createProxyMiddleware({
    target: getUpstreamUrl('chat', config),
    // Chat accepts the upgrade before it checks the token, so this is short; clients reconnect.
    upgradeTimeout: 4_000,
    ejectPlugins: true,
    plugins: [plugin],
  });
  return {
    count: () => openSockets.size,
    close() {
      for (const socket of openSockets) socket.destroy();
    },
    upgrade(req, socket, head, context) {
      socket.on('error', () => socket.destroy());
      const rejection = findRejection(req, context, { rateLimiters, cors });
      if (rejection) return rejectUpgrade(socket, rejection, context.requestId);
      const { connection, upgrade } = req.headers;
      prepareHeaders(req, context);
      Object.assign(req.headers, { connection, upgrade });
      openSockets.add(socket);
      socket.once('close', () => openSockets.delete(socket));
      proxy.upgrade(req, socket, head);
    },
  };
}

function findRejection(
  req: IncomingMessage,
  { client }: GatewayRequest,
  { rateLimiters, cors }: Pick<Options, 'rateLimiters' | 'cors'>,
): AppError | undefined {
  if (!cors.canConnect(req)) return new AppError('forbidden', 'This origin is not allowed to connect');
  const retryAfterSeconds = rateLimiters.socket.consume(addressBlock(client.address));
  return retryAfterSeconds > 0 ? tooManyRequests(retryAfterSeconds) : undefined;
}
