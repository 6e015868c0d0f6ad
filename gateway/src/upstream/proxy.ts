import type { IncomingMessage, ServerResponse } from 'node:http';
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
  forward(req: IncomingMessage, res: ServerResponse, body?: Buffer): void;
  close(): void;
};

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
  const bodies = new WeakMap<IncomingMessage, Buffer>();
  const wire: Plugin = (proxyServer) => {
    proxyServer.on('proxyReq', (_proxyReq, req, _res, options) => {
      const body = bodies.get(req);
      // In the moment in which it begins to be passed on: heard of earlier, it would not wait for that.
      if (!body) req.on('data', collectPassing);
      if (body) options.buffer = Readable.from([body], { objectMode: false });
    });
    proxyServer.on('proxyRes', (upstream, _req, res) => answer(upstream, res));
    proxyServer.on('econnreset', () => undefined);
    proxyServer.on('error', (error, req, res) => {
      // A caller that went away is nobody's fault and hears nothing any more.
      if (!req || !res || !('req' in res) || res.destroyed) return;
      onFailure();
      log.warn({ err: error, upstream: name, requestId: req.headers['x-request-id'] }, 'a service did not answer');
      refuse(res, notAnswered());
    });
  };
  const middleware = createProxyMiddleware({
    target: plainTarget(target),
    agent,
    proxyTimeout: timeoutMs,
    selfHandleResponse: true,
    // Its own plugins answer with a text that names the host, and build a log line for each request.
    ejectPlugins: true,
    plugins: [wire],
    pathFilter: everything,
  });
  return {
    forward(req, res, body) {
      if (body) {
        bodies.set(req, body);
        delete req.headers['transfer-encoding'];
        req.headers['content-length'] = String(body.length);
      }
      void middleware(req, res);
    },
    close: () => agent.destroy(),
  };
}

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
