import type { EventEmitter } from 'node:events';
import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { collectPassing } from '@atrium/service-kit/process/collect-passing';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { sendError, upstreamUnavailable } from '../http/refuse.ts';
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
  answer: (upstream: IncomingMessage, res: ServerResponse) => void;
};

export type Forwarder = {
  /** Passes a request on: with the body that was read already, else with its bytes as they come. */
  forward(req: IncomingMessage, res: ServerResponse, given?: Given): void;
  close(): void;
};

type Given = {
  body?: Buffer | undefined;
  /** Whether the service does the same when it gets the request twice; absent where its body is passed on as it comes, and gone then. */
  isRepeatable?: () => boolean;
};

/** What is under way, since when, and how it went so far. */
type Attempt = Given & {
  began: number;
  /** Whether the try that is under way ever had a connection; before that, nothing of it has been sent. */
  hasConnected: boolean;
  /** How often nobody was there to take it. */
  untaken: number;
  wasCut: boolean;
};

/**
 * Before each new try. The first is long enough for others to hear that a pod has gone, and shorter than anybody notices; the others
 * outlast a pod that goes before all have heard, and a name or a service without pods for a moment.
 */
const AGAIN_AFTER_MS = [50, 200, 500, 1_000] as const;
/** No new try after that: whoever waits so long would rather know. */
const AGAIN_WITHIN_MS = 5_000;
/** A machine that is gone does not even refuse. Long enough for a lost packet, which is sent again after a second. */
const CONNECT_MS = 2_000;

/** Response headers that concern the connection to the service, or tell what it runs on. */
const NOT_ANSWERED = new Set([
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
export function createProxy({ name, target, timeoutMs, log, onFailure, answer }: ProxyOptions): Forwarder {
  const agent = agentFor(target);
  const attempts = new WeakMap<IncomingMessage, Attempt>();
  const wire: Plugin = (proxyServer) => {
    proxyServer.on('proxyReq', (proxyReq, req, _res, options) => {
      const attempt = attempts.get(req);
      if (attempt) watch(attempt, proxyReq);
      // In the moment in which it begins to be passed on: heard of earlier, it would not wait for that.
      if (attempt?.body) options.buffer = Readable.from([attempt.body], { objectMode: false });
      else req.on('data', collectPassing);
    });
    proxyServer.on('proxyRes', (upstream, _req, res) => answer(upstream, res));
    proxyServer.on('econnreset', () => undefined);
    proxyServer.on('error', (error, req, res) => {
      // A caller that went away is nobody's fault and hears nothing any more.
      if (!req || !res || !('req' in res) || res.destroyed) return;
      const attempt = attempts.get(req);
      const about = { err: error, upstream: name, requestId: req.headers['x-request-id'] };
      const wait = attempt && !res.headersSent ? waitBeforeNext(attempt, error) : undefined;
      if (attempt && wait !== undefined) {
        log.info(about, 'a request goes to a service once more');
        setTimeout(() => {
          if (res.destroyed) return;
          attempt.hasConnected = false;
          // Each try listens to it, and there are few of them.
          res.setMaxListeners(0);
          void afresh(req, res);
        }, wait);
        return;
      }
      onFailure();
      log.warn(about, 'a service did not answer');
      sendError(res, upstreamUnavailable());
    });
  };
  const through = (by: Agent | false) =>
    createProxyMiddleware({
      target: plainTarget(target),
      agent: by,
      proxyTimeout: timeoutMs,
      selfHandleResponse: true,
      // Its own plugins answer with a text that names the host, and build a log line for each request.
      ejectPlugins: true,
      plugins: [wire],
      pathFilter: everything,
    });
  const middleware = through(agent);
  /** By a connection of its own: what broke one that was kept may have broken them all. Without `false` it would be one kept elsewhere. */
  const afresh = through(false);
  /** In the moment in which a try is given its socket, which may be one that was kept. */
  const watch = (attempt: Attempt, proxyReq: ClientRequest): void => {
    const { socket } = proxyReq;
    attempt.hasConnected = socket?.pending === false;
    if (socket?.connecting) {
      socket.once('connect', () => {
        attempt.hasConnected = true;
      });
      if (attempt.isRepeatable) endWithout(proxyReq, socket, 'connect', CONNECT_MS);
    }
    // What was waited for before is part of the patience, which begins anew with each connection otherwise.
    const isAgain = attempt.untaken > 0 || attempt.wasCut;
    if (isAgain) endWithout(proxyReq, proxyReq, 'response', timeoutMs - (performance.now() - attempt.began));
  };
  /** How long to wait before the next try; undefined where there is none. */
  const waitBeforeNext = (attempt: Attempt, error: NodeJS.ErrnoException): number | undefined => {
    const { began, hasConnected, isRepeatable } = attempt;
    const wait = hasConnected ? AGAIN_AFTER_MS[0] : AGAIN_AFTER_MS[attempt.untaken];
    if (!isRepeatable || wait === undefined) return undefined;
    const at = performance.now() - began + wait;
    // Who was waited for in vain would be waited for twice.
    if (at >= timeoutMs) return undefined;
    if (!hasConnected) {
      // Nobody was there to take it, whatever it is.
      attempt.untaken += 1;
      return at <= AGAIN_WITHIN_MS ? wait : undefined;
    }
    // It may have arrived.
    if (attempt.wasCut || !CUT.has(error.code ?? '') || !isRepeatable()) return undefined;
    attempt.wasCut = true;
    return wait;
  };
  return {
    forward(req, res, given = {}) {
      attempts.set(req, { ...given, began: performance.now(), hasConnected: false, untaken: 0, wasCut: false });
      if (given.body) {
        delete req.headers['transfer-encoding'];
        req.headers['content-length'] = String(given.body.length);
      }
      void middleware(req, res);
    },
    close: () => agent.destroy(),
  };
}

/** The connection broke before there was an answer: as one does that was idle in the moment in which a pod that stops closes it. */
const CUT = new Set(['ECONNRESET', 'EPIPE']);

const everything = () => true;

/** Ends a try to which that does not happen in time. */
function endWithout(proxyReq: ClientRequest, emitter: EventEmitter, event: string, ms: number): void {
  const timer = setTimeout(() => proxyReq.destroy(), ms);
  const clear = () => clearTimeout(timer);
  emitter.once(event, clear);
  proxyReq.once('close', clear);
}

/** In parts: a URL would be parsed again for each request. */
function plainTarget({ protocol, hostname, port, pathname }: URL) {
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    protocol,
    host,
    port: port || (protocol === 'https:' ? '443' : '80'),
    pathname: pathname === '/' ? '' : pathname,
  };
}

/** Passes an answer on, without what belongs to the connection it came on; compressed, where it may be and whoever asked takes it. */
export function forwardResponse(upstream: IncomingMessage, res: ServerResponse, mayCompress: boolean): void {
  if (res.headersSent || res.destroyed) {
    upstream.destroy();
    return;
  }
  const { headers } = upstream;
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !NOT_ANSWERED.has(name)) res.setHeader(name, value);
  }
  res.statusCode = upstream.statusCode ?? 502;
  if (mayCompress) sendCompressed(upstream, res);
  else upstream.pipe(res);
}
