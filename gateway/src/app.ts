import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import { createClientInfoResolver, createProxyTrust, warnAboutForwarding } from '@atrium/service-kit/http/client-info';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { requestContext } from '@atrium/service-kit/observability/request-context';
import { startSpan } from '@atrium/service-kit/observability/tracing';
import { OTHER, watchRequest } from '@atrium/service-kit/observability/watch-request';
import { closeConnectionAfterEarlyResponse } from '@atrium/service-kit/process/http-server';
import { createApi } from './api.ts';
import type { Config } from './config.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { createCors } from './http/cors.ts';
import { rejectUpgrade, sendError } from './http/error-responses.ts';
import { type GatewayRequest, moveOneClickUnsubscribe, parsePath, parseRequestId } from './http/gateway-request.ts';
import { createEndpointMatcher } from './http/match-endpoint.ts';
import { securityHeaders, setHeaders } from './http/security-headers.ts';
import type { RateLimiters } from './rate-limiting/rate-limit.ts';
import type { FindTokenOwner } from './rate-limiting/rate-limit-subject.ts';
import { createLocalApp } from './routes/local-app.ts';
import { createSearch } from './search/search-route.ts';
import { createDownloadProxy } from './upstream/downloads.ts';
import { createRequestBodies } from './upstream/request-bodies.ts';
import { createServices } from './upstream/services.ts';
import { createSocketProxy, wantsUpgrade } from './upstream/sockets.ts';

type GatewayDeps = {
  config: Config;
  log: Logger;
  metrics: GatewayMetrics;
  rateLimiters: RateLimiters;
  findOwner: FindTokenOwner;
  isOverloaded: () => boolean;
};

export type Gateway = {
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** Protocols other than WebSocket are ignored (RFC 9110, section 7.8). */
  wantsUpgrade(req: IncomingMessage): boolean;
  upgrade(req: IncomingMessage, socket: Socket, head: Buffer): void;
  closeSockets(): void;
  close(): void;
};

/** Requests to services bypass Express, which would double the cost of the hop. */
export function createGateway(deps: GatewayDeps): Gateway {
  const { config, log, metrics, rateLimiters, findOwner, isOverloaded } = deps;
  const warn = warnAboutForwarding(log);
  const resolveClientInfo = createClientInfoResolver(createProxyTrust(config.TRUSTED_PROXIES), {
    onUntrusted(peer) {
      metrics.untrustedForwards.inc();
      warn.onUntrusted(peer);
    },
    onUnreadable(peer, value) {
      metrics.unreadableForwards.inc();
      warn.onUnreadable(peer, value);
    },
  });
  const headers = securityHeaders({
    filesUrl: config.S3_PUBLIC_URL,
    hstsIncludesSubdomains: config.HSTS_INCLUDE_SUBDOMAINS,
  });
  const cors = createCors(config.CORS_ORIGINS);
  const endpoints = createEndpointMatcher();
  const services = createServices({ config, log, metrics, isRetryable: endpoints.isRetryable });
  const downloads = createDownloadProxy({ config, headers, rateLimiters, log, metrics });
  const sockets = createSocketProxy({ config, rateLimiters, cors, log, metrics });
  metrics.measureSockets(sockets.count);
  const search = createSearch({ config, log, metrics });
  const localApp = createLocalApp(config, log, search.route);
  const respondLocally = (req: IncomingMessage, res: ServerResponse) => {
    requestContext.run({ requestId: String(req.headers['x-request-id']) }, () => localApp(req, res));
  };
  const bodies = createRequestBodies(config.BODY_TIMEOUT_SECONDS * 1000);
  const api = createApi({
    rateLimiters,
    bodies,
    findOwner,
    cors,
    isOverloaded: () => {
      const shouldShed = isOverloaded();
      if (shouldShed) metrics.shed.inc();
      return shouldShed;
    },
    isUpload: endpoints.isUpload,
    forward: services.forward,
    respondLocally,
  });

  const dispatch = async (req: IncomingMessage, res: ServerResponse, context: GatewayRequest): Promise<void> => {
    if (context.client.secure) res.setHeader(...headers.hsts);
    if (downloads?.matches(context.normalizedPath)) return downloads.handle(req, res, context);
    setHeaders(res, headers.common);
    if (!isApi(context.normalizedPath)) return respondLocally(req, res);
    res.setHeader('Cache-Control', 'no-store');
    return api(req, res, context);
  };

  const startRequest = (req: IncomingMessage): GatewayRequest | undefined => {
    const requestId = parseRequestId(req);
    req.headers['x-request-id'] = requestId;
    const path = parsePath(moveOneClickUnsubscribe(req));
    return path && { requestId, client: resolveClientInfo(req), ...path };
  };

  const getRouteLabel = (normalizedPath: string | undefined): string => {
    if (normalizedPath === undefined) return OTHER;
    if (downloads?.matches(normalizedPath)) return 'files';
    return isApi(normalizedPath) ? (endpoints.findPattern(normalizedPath) ?? OTHER) : 'web';
  };

  return {
    handle(req, res) {
      const context = startRequest(req);
      res.setHeader('x-request-id', String(req.headers['x-request-id']));
      const span = startSpan({ name: String(req.method), kind: 'server', root: true });
      watchRequest({
        span,
        req,
        res,
        metrics,
        log,
        getRoute: () => getRouteLabel(context?.normalizedPath),
        fields: () => ({ requestId: req.headers['x-request-id'], userId: context?.userId }),
      });
      closeConnectionAfterEarlyResponse(req, res);
      if (!context) return sendError(res, notFound());
      const respond = () => dispatch(req, res, context);
      (span ? span.run(respond) : respond()).catch((error: unknown) => {
        log.error({ err: error, requestId: context.requestId }, 'Request failed');
        sendError(res, new AppError('internal', 'Something went wrong', { cause: error }));
      });
    },
    wantsUpgrade,
    upgrade(req, socket, head) {
      const context = startRequest(req);
      if (context) sockets.upgrade(req, socket, head, context);
      else rejectUpgrade(socket, notFound(), String(req.headers['x-request-id']));
    },
    closeSockets: sockets.close,
    close() {
      services.close();
      search.close();
      downloads?.close();
    },
  };
}

const isApi = (path: string) => path === '/api' || path.startsWith('/api/');
