import type { EventEmitter } from 'node:events';
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { sendError, upstreamUnavailable } from '../http/error-responses.ts';
import { createAgent } from './upstreams.ts';

type ProxyOptions = {
  name: string;
  target: URL;
  timeoutMs: number;
  log: Logger;
  onFailure: () => void;
  onResponse: (upstream: IncomingMessage, res: ServerResponse) => void;
};

export type Forwarder = {
  forward(req: IncomingMessage, res: ServerResponse, options?: ForwardOptions): void;
  close(): void;
};

type ForwardOptions = {
  body?: Buffer | undefined;
  /** Missing for streamed bodies, which cannot be resent. */
  isRetryable?: () => boolean;
};

type Attempt = ForwardOptions & {
  startedAt: number;
  /** While this is false, nothing has been sent. */
  hasConnected: boolean;
  connectFailures: number;
  wasReset: boolean;
};

/** The first delay lets a stopped pod leave the load balancer; the others bridge a restart. */
const RETRY_DELAYS_MS = [50, 200, 500, 1_000] as const;
const RETRY_WINDOW_MS = 5_000;
/** Hosts that are down do not refuse connections. The timeout allows for one retransmitted SYN (1 s). */
const CONNECT_TIMEOUT_MS = 2_000;

export function createProxy({ name, target, timeoutMs, log, onFailure, onResponse }: ProxyOptions): Forwarder {
  const agent = createAgent(target);
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const retryPlugin: Plugin = (proxyServer) => {
    proxyServer.on('proxyReq', (proxyReq, req, _res, options) => {
      const attempt = attempts.get(req);
      if (attempt) watchConnection(attempt, proxyReq);
      // Creates the stream when forwarding starts; an earlier stream would end before it is read.
      if (attempt?.body) options.buffer = Readable.from([attempt.body], { objectMode: false });
    });
    proxyServer.on('proxyRes', (upstream, _req, res) => onResponse(upstream, res));
    proxyServer.on('econnreset', () => undefined);
    proxyServer.on('error', (error, req, res) => {
      // The client disconnected.
      if (!req || !res || !('req' in res) || res.destroyed) return;
      const attempt = attempts.get(req);
      const logFields = { err: error, upstream: name, requestId: req.headers['x-request-id'] };
      const retryDelayMs = attempt && !res.headersSent ? nextRetryDelay(attempt, error) : undefined;
      if (attempt && retryDelayMs !== undefined) {
        log.info(logFields, 'Retrying request to upstream');
        setTimeout(() => {
          if (res.destroyed) return;
          attempt.hasConnected = false;
          // Each retry adds a few listeners.
          res.setMaxListeners(0);
          void unpooledMiddleware(req, res);
        }, retryDelayMs);
        return;
      }
      onFailure();
      log.warn(logFields, 'Upstream request failed');
      sendError(res, upstreamUnavailable());
    });
  };
  const createMiddleware = (connectionAgent: Agent | false) =>
    createProxyMiddleware({
      target: toProxyTarget(target),
      agent: connectionAgent,
      proxyTimeout: timeoutMs,
      selfHandleResponse: true,
      // The default plugins send error pages with host names and log every request.
      ejectPlugins: true,
      plugins: [retryPlugin],
      pathFilter: matchAll,
    });
  const middleware = createMiddleware(agent);
  /** If one pooled connection broke, others may have too. With `undefined`, Node would use its global pool. */
  const unpooledMiddleware = createMiddleware(false);
  /** The socket may come from the pool, and be connected already. */
  const watchConnection = (attempt: Attempt, proxyReq: ClientRequest): void => {
    const { socket } = proxyReq;
    attempt.hasConnected = socket?.pending === false;
    if (socket?.connecting) {
      socket.once('connect', () => {
        attempt.hasConnected = true;
      });
      if (attempt.isRetryable) destroyUnless(proxyReq, socket, 'connect', CONNECT_TIMEOUT_MS);
    }
    // Retries share the timeout of the first attempt, which otherwise restarts with each connection.
    const isRetry = attempt.connectFailures > 0 || attempt.wasReset;
    if (isRetry) destroyUnless(proxyReq, proxyReq, 'response', timeoutMs - (performance.now() - attempt.startedAt));
  };
  const nextRetryDelay = (attempt: Attempt, error: NodeJS.ErrnoException): number | undefined => {
    const { startedAt, hasConnected, isRetryable } = attempt;
    const retryDelayMs = hasConnected ? RETRY_DELAYS_MS[0] : RETRY_DELAYS_MS[attempt.connectFailures];
    if (!isRetryable || retryDelayMs === undefined) return undefined;
    const elapsedMs = performance.now() - startedAt + retryDelayMs;
    if (elapsedMs >= timeoutMs) return undefined;
    if (!hasConnected) {
      attempt.connectFailures += 1;
      return elapsedMs <= RETRY_WINDOW_MS ? retryDelayMs : undefined;
    }
    // The request may have been received.
    if (attempt.wasReset || !CONNECTION_RESET_CODES.has(error.code ?? '') || !isRetryable()) return undefined;
    attempt.wasReset = true;
    return retryDelayMs;
  };
  return {
    forward(req, res, options = {}) {
      attempts.set(req, {
        ...options,
        startedAt: performance.now(),
        hasConnected: false,
        connectFailures: 0,
        wasReset: false,
      });
      if (options.body) {
        delete req.headers['transfer-encoding'];
        req.headers['content-length'] = String(options.body.length);
      }
      void middleware(req, res);
    },
    close: () => agent.destroy(),
  };
}

const CONNECTION_RESET_CODES = new Set(['ECONNRESET', 'EPIPE']);

const matchAll = () => true;

function destroyUnless(proxyReq: ClientRequest, emitter: EventEmitter, event: string, ms: number): void {
  const timer = setTimeout(() => proxyReq.destroy(), ms);
  const clear = () => clearTimeout(timer);
  emitter.once(event, clear);
  proxyReq.once('close', clear);
}

/** Returns parts, because a URL would be parsed again for each request. */
function toProxyTarget({ protocol, hostname, port, pathname }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    protocol,
    host,
    port: port || (protocol === 'https:' ? '443' : '80'),
    pathname: pathname === '/' ? '' : pathname,
  };
}
