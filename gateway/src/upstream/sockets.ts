import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@atrium/service-kit/http/app-error';
import { addressBlock } from '@atrium/service-kit/http/ip-address';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { isWebSocketOffer } from '@atrium/service-kit/process/bounded-server';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import type { Config } from '../config.ts';
import type { Cors } from '../http/cors.ts';
import { rejectUpgrade, tooManyRequests, upstreamUnavailable } from '../http/refuse.ts';
import { prepareHeaders, type RequestContext } from '../http/request-context.ts';
import type { Budgets } from '../rate-limiting/rate-limit.ts';
import type { GatewayMetrics } from '../routes/gateway-metrics.ts';
import { addressOf } from './upstreams.ts';

const SOCKET_PATH = '/socket.io';

/** Whether a request is to become a socket: chat's own server looks at the path as it is written, too. */
export function wantsUpgrade({ headers, url = '' }: IncomingMessage): boolean {
  const after = url.startsWith(SOCKET_PATH) ? url.slice(SOCKET_PATH.length, SOCKET_PATH.length + 1) : undefined;
  return isWebSocketOffer(headers) && (after === '' || after === '/' || after === '?');
}

export type Sockets = {
  upgrade(req: IncomingMessage, socket: Socket, head: Buffer, context: RequestContext): void;
  /** How many are open. */
  count(): number;
  /** Ends them all: clients come back through another gateway. */
  close(): void;
};

type Options = { config: Config; budgets: Budgets; cors: Cors; log: Logger; metrics: GatewayMetrics };

/** WebSockets of `/socket.io` go to chat, which asks them for a token itself. In a cluster the ingress does this. */
export function createSockets({ config, budgets, cors, log, metrics }: Options): Sockets {
  const open = new Set<Socket>();
  const passedOn = new WeakSet<Socket>();
  const wire: Plugin = (proxyServer) => {
    proxyServer.on('proxyReqWs', (proxyReq, _req, client) => {
      proxyReq.once('upgrade', (_answer, upstream) => {
        passedOn.add(client);
        // Piping alone ends the other side only after a tidy end, and a line that breaks has none.
        client.once('close', () => upstream.destroy());
        upstream.once('close', () => client.destroy());
      });
    });
    proxyServer.on('error', (error, req, client) => {
      if (!req || !client || 'req' in client) return;
      metrics.upstreamFailures.inc({ upstream: 'chat' });
      log.warn(
        { err: error, upstream: 'chat', requestId: req.headers['x-request-id'] },
        'a socket could not be passed on',
      );
      const socket = client as unknown as Socket;
      // After the handshake there is no answer to give any more.
      if (passedOn.has(socket)) socket.destroy();
      else rejectUpgrade(socket, upstreamUnavailable(), String(req.headers['x-request-id']));
    });
  };
  const proxy = createProxyMiddleware({
    target: addressOf('chat', config),
    // Chat says yes before it looks at a token. A pod that is silent for so long has gone, and a client comes back by itself.
    upgradeTimeout: 4_000,
    ejectPlugins: true,
    plugins: [wire],
  });
  return {
    count: () => open.size,
    close() {
      for (const socket of open) socket.destroy();
    },
    upgrade(req, socket, head, context) {
      socket.on('error', () => socket.destroy());
      const refusal = refusalOf(req, context, { budgets, cors });
      if (refusal) return rejectUpgrade(socket, refusal, context.requestId);
      const { connection, upgrade } = req.headers;
      prepareHeaders(req, context);
      Object.assign(req.headers, { connection, upgrade });
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      proxy.upgrade(req, socket, head);
    },
  };
}

function refusalOf(
  req: IncomingMessage,
  { origin }: RequestContext,
  { budgets, cors }: Pick<Options, 'budgets' | 'cors'>,
): AppError | undefined {
  if (!cors.mayConnect(req)) return new AppError('forbidden', 'This origin may not connect');
  const wait = budgets.socket.spend(addressBlock(origin.address));
  return wait > 0 ? tooManyRequests(wait) : undefined;
}
