import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Logger } from '@atrium/service-kit/observe/logger';
import { collectPassing } from '@atrium/service-kit/process/collect-passing';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { notAnswered, refuse } from '../http/refuse.ts';
import { sendCompressed } from './compress-answer.ts';
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
  /** Whether the service does the same when it gets the request twice; absent where its body is passed on as it comes. */
  isRepeatable?: () => boolean;
};

/** What is under way, with the request that was made of it, and since when. */
type Attempt = Given & { sent?: ClientRequest; began: number; isLast: boolean };

/** Long enough for others to hear that a pod has gone, and shorter than anybody notices. */
const AGAIN_AFTER_MS = 50;

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
      if (attempt) attempt.sent = proxyReq;
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
      if (attempt && !res.headersSent && mayGoAgain(attempt, error)) {
        attempt.isLast = true;
        log.info(about, 'a request goes to a service once more');
        setTimeout(() => !res.destroyed && void afresh(req, res), AGAIN_AFTER_MS);
        return;
      }
      onFailure();
      log.warn(about, 'a service did not answer');
      refuse(res, notAnswered());
    });
  };
  const through = (by: Agent | undefined) =>
    createProxyMiddleware({
      target: plainTarget(target),
      ...(by && { agent: by }),
      proxyTimeout: timeoutMs,
      selfHandleResponse: true,
      // Its own plugins answer with a text that names the host, and build a log line for each request.
      ejectPlugins: true,
      plugins: [wire],
      pathFilter: everything,
    });
  const middleware = through(agent);
  /** By a connection of its own: what broke one that was kept may have broken them all. */
  const afresh = through(undefined);
  const mayGoAgain = ({ sent, began, isLast, isRepeatable }: Attempt, error: NodeJS.ErrnoException): boolean => {
    if (isLast || !isRepeatable) return false;
    // Nobody was there to take it, whatever it is.
    if (error.syscall === 'connect') return true;
    // It may have arrived. Who was waited for in vain would be waited for twice.
    const isCut = sent !== undefined && CUT.has(error.code ?? '') && performance.now() - began < timeoutMs;
    return isCut && isRepeatable();
  };
  return {
    forward(req, res, given = {}) {
      attempts.set(req, { ...given, began: performance.now(), isLast: false });
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
export function passOn(upstream: IncomingMessage, res: ServerResponse, mayCompress: boolean): void {
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
