import type { EventEmitter } from 'node:events';
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { sendError, upstreamUnavailable } from '../http/error-responses.ts';
import { sendCompressed } from './compress-response.ts';
import { agentFor } from './upstreams.ts';

export type ProxyOptions = {
  /** For the log; never shown to a caller. */
  name: string;
  target: URL;
  timeoutMs: number;
  log: Logger;
  /** Called when it did not answer. */
  onFailure: () => void;
  onResponse: (upstream: IncomingMessage, res: ServerResponse) => void;
};

export type Forwarder = {
  /** Passes a request on: with the body that was read already, else with its bytes as they come. */
  forward(req: IncomingMessage, res: ServerResponse, options?: ForwardOptions): void;
  close(): void;
};

type ForwardOptions = {
  body?: Buffer | undefined;
  /** Whether the service does the same when it gets the request twice; absent where its body is passed on as it comes, and gone then. */
  isRetryable?: () => boolean;
};

/** What is under way, since when, and how it went so far. */
type Attempt = ForwardOptions & {
  startedAt: number;
  /** Whether the try that is under way ever had a connection; before that, nothing of it has been sent. */
  hasConnected: boolean;
  /** How often nobody was there to take it. */
  connectFailures: number;
  wasReset: boolean;
};

/**
 * Before each new try. The first is long enough for others to hear that a pod has gone, and shorter than anybody notices; the others
 * outlast a pod that goes before all have heard, and a name or a service without pods for a moment.
 */
const RETRY_DELAYS_MS = [50, 200, 500, 1_000] as const;
/** No new try after that: whoever waits so long would rather know. */
const RETRY_WINDOW_MS = 5_000;
/** A machine that is gone does not even refuse. Long enough for a lost packet, which is sent again after a second. */
const CONNECT_TIMEOUT_MS = 2_000;

/** Response headers that concern the connection to the service, or tell what it runs on. */
const STRIPPED_RESPONSE_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-powered-by',
]);

/** One service behind http-proxy-middleware: bodies stream both ways, and whoever goes away takes the other side along. */
export function createProxy({ name, target, timeoutMs, log, onFailure, onResponse }: ProxyOptions): Forwarder {
  const agent = agentFor(target);
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const wire: Plugin = (proxyServer) => {
    proxyServer.on('proxyReq', (proxyReq, req, _res, options) => {
      const attempt = attempts.get(req);
      if (attempt) watch(attempt, proxyReq);
      // In the moment in which it begins to be passed on: heard of earlier, it would not wait for that.
      if (attempt?.body) options.buffer = Readable.from([attempt.body], { objectMode: false });
    });
    proxyServer.on('proxyRes', (upstream, _req, res) => onResponse(upstream, res));
    proxyServer.on('econnreset', () => undefined);
    proxyServer.on('error', (error, req, res) => {
      // A caller that went away is nobody's fault and hears nothing any more.
      if (!req || !res || !('req' in res) || res.destroyed) return;
      const attempt = attempts.get(req);
      const about = { err: error, upstream: name, requestId: req.headers['x-request-id'] };
      const wait = attempt && !res.headersSent ? nextRetryDelay(attempt, error) : undefined;
      if (attempt && wait !== undefined) {
        log.info(about, 'Retrying request to upstream');
        setTimeout(() => {
          if (res.destroyed) return;
          attempt.hasConnected = false;
          // Each try listens to it, and there are few of them.
          res.setMaxListeners(0);
          void unpooledMiddleware(req, res);
        }, wait);
        return;
      }
      onFailure();
      log.warn(about, 'Upstream request failed');
      sendError(res, upstreamUnavailable());
    });
  };
  const createMiddleware = (by: Agent | false) =>
    createProxyMiddleware({
      target: toProxyTarget(target),
      agent: by,
      proxyTimeout: timeoutMs,
      selfHandleResponse: true,
      // Its own plugins answer with a text that names the host, and build a log line for each request.
      ejectPlugins: true,
      plugins: [wire],
      pathFilter: matchAll,
    });
  const middleware = createMiddleware(agent);
  /** By a connection of its own: what broke one that was kept may have broken them all. Without `false` it would be one kept elsewhere. */
  const unpooledMiddleware = createMiddleware(false);
  /** In the moment in which a try is given its socket, which may be one that was kept. */
  const watch = (attempt: Attempt, proxyReq: ClientRequest): void => {
    const { socket } = proxyReq;
    attempt.hasConnected = socket?.pending === false;
    if (socket?.connecting) {
      socket.once('connect', () => {
        attempt.hasConnected = true;
      });
      if (attempt.isRetryable) destroyUnless(proxyReq, socket, 'connect', CONNECT_TIMEOUT_MS);
    }
    // What was waited for before is part of the patience, which begins anew with each connection otherwise.
    const isRetry = attempt.connectFailures > 0 || attempt.wasReset;
    if (isRetry) destroyUnless(proxyReq, proxyReq, 'response', timeoutMs - (performance.now() - attempt.startedAt));
  };
  /** How long to wait before the next try; undefined where there is none. */
  const nextRetryDelay = (attempt: Attempt, error: NodeJS.ErrnoException): number | undefined => {
    const { startedAt, hasConnected, isRetryable } = attempt;
    const wait = hasConnected ? RETRY_DELAYS_MS[0] : RETRY_DELAYS_MS[attempt.connectFailures];
    if (!isRetryable || wait === undefined) return undefined;
    const elapsedMs = performance.now() - startedAt + wait;
    // Who was waited for in vain would be waited for twice.
    if (elapsedMs >= timeoutMs) return undefined;
    if (!hasConnected) {
      // Nobody was there to take it, whatever it is.
      attempt.connectFailures += 1;
      return elapsedMs <= RETRY_WINDOW_MS ? wait : undefined;
    }
    // It may have arrived.
    if (attempt.wasReset || !CONNECTION_RESET_CODES.has(error.code ?? '') || !isRetryable()) return undefined;
    attempt.wasReset = true;
    return wait;
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

/** The connection broke before there was an answer: as one does that was idle in the moment in which a pod that stops closes it. */
const CONNECTION_RESET_CODES = new Set(['ECONNRESET', 'EPIPE']);

const matchAll = () => true;

/** Ends a try to which that does not happen in time. */
function destroyUnless(proxyReq: ClientRequest, emitter: EventEmitter, event: string, ms: number): void {
  const timer = setTimeout(() => proxyReq.destroy(), ms);
  const clear = () => clearTimeout(timer);
  emitter.once(event, clear);
  proxyReq.once('close', clear);
}

/** In parts: a URL would be parsed again for each request. */
function toProxyTarget({ protocol, hostname, port, pathname }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    protocol,
    host,
    port: port || (protocol === 'https:' ? '443' : '80'),
    pathname: pathname === '/' ? '' : pathname,
  };
}

/** Passes an answer on, without what belongs to the connection it came on; compressed, where it may be and whoever asked takes it. */
export function forwardResponse(upstream: IncomingMessage, res: ServerResponse, canCompress: boolean): void {
  if (res.headersSent || res.destroyed) {
    upstream.destroy();
    return;
  }
  const { headers } = upstream;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !STRIPPED_RESPONSE_HEADERS.has(name)) res.setHeader(name, value);
  }
  res.statusCode = upstream.statusCode ?? 502;
  if (canCompress) sendCompressed(upstream, res);
  else upstream.pipe(res);
}
