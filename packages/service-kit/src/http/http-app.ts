import { setTimeout as delay } from 'node:timers/promises';
import { API_PREFIX, type Endpoint } from '@atrium/proto-events/endpoint';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { AppError, NOT_AVAILABLE, notFound, unavailable } from '../errors/app-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { type RequestContext, requestContext } from '../observability/request-context.ts';
import { type ActiveSpan, startSpan } from '../observability/tracing.ts';
import { OTHER, PROBE, watchRequest } from '../observability/watch-request.ts';
import type { HealthReport } from '../process/health.ts';
import type { Latch } from '../process/latch.ts';
import { newId } from '../process/new-id.ts';
import type { Caller, TokenVerifier } from './authenticate.ts';
import { createClientInfoResolver, createProxyTrust, warnAboutForwarding } from './client-info.ts';
import type { HttpExchange, Route } from './handle.ts';
import { errorHandler, toAppError, toErrorBody } from './http-errors.ts';
import { jsonBody } from './json-body.ts';
import type { SecurityLog } from './security-log.ts';

type HttpAppOptions = {
  routes: readonly Route[];
  verifier: TokenVerifier;
  health: () => Promise<HealthReport>;
  log: Logger;
  metrics: Metrics;
  overloaded: () => boolean;
  /** Opens once the database schema is migrated; absent without a database. */
  schemaReady?: Pick<Latch, 'isOpen' | 'opened'> | undefined;
  securityLog: SecurityLog;
  trustedProxies: readonly string[];
  internal?: (app: Express) => void;
};

export function createHttpApp(options: HttpAppOptions): Express {
  const { routes, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const resolveClientInfo = createClientInfoResolver(
    createProxyTrust(options.trustedProxies),
    warnAboutForwarding(log),
  );
  app.use(enterRequest(options.metrics, log, resolveClientInfo));
  addProbes(app, options);
  if (options.schemaReady) app.use(waitForSchema(options.schemaReady));
  options.internal?.(app);
  // Fewer parameters first: `/users/profile` must precede `/users/:id`, regardless of the method.
  for (const [path, pathRoutes] of [...Map.groupBy(routes, ({ endpoint }) => endpoint.path)].sort(byParameterCount)) {
    const expressRoute = app.route(API_PREFIX + path);
    for (const route of pathRoutes) {
      const method = route.endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
      expressRoute[method](...createSteps(route, options));
    }
    expressRoute.all(methodNotAllowed(pathRoutes.map(({ endpoint }) => endpoint)));
  }
  app.use(() => {
    throw notFound();
  });
  app.use(auditDenials(options.securityLog));
  app.use(errorHandler(log));
  return app;
}

const SCHEMA_TIMEOUT_MS = 2_000;

/** Lets requests wait for the tables, since they may arrive as soon as the port is open. */
function waitForSchema({ isOpen, opened }: Pick<Latch, 'isOpen' | 'opened'>): RequestHandler {
  const wait: RequestHandler = async (_req, res, next) => {
    await Promise.race([opened, delay(SCHEMA_TIMEOUT_MS, undefined, { ref: false })]);
    if (isOpen()) return next();
    const error = unavailable(NOT_AVAILABLE);
    // Sent here rather than thrown, since it is not an error to log.
    res.setHeader('Retry-After', String(error.extra.retryAfterSeconds)).status(error.status);
    res.json(toErrorBody(error));
  };
  return (req, res, next) => (isOpen() ? next() : wait(req, res, next));
}

export function methodNotAllowed(endpoints: readonly Endpoint[]): RequestHandler {
  const methods = endpoints.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  return (req, res) => {
    res.setHeader('allow', methods.join(', '));
    throw new AppError('method_not_allowed', `${req.method} is not possible here`);
  };
}

const byParameterCount = ([a]: [string, unknown], [b]: [string, unknown]) => a.split(':').length - b.split(':').length;

/** Handles every request in this order: shed load, authenticate, check access, read the body, run. */
function createSteps(route: Route, { verifier, overloaded, metrics }: HttpAppOptions): RequestHandler[] {
  const { endpoint } = route;
  const admit: RequestHandler = async (req, res, next) => {
    res.locals.route = endpoint.path;
    if (overloaded()) {
      metrics.shed.inc();
      throw new AppError('unavailable', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 1 });
    }
    if (endpoint.access !== 'public') assertAccess(endpoint, await authenticate({ req, res }, verifier));
    next();
  };
  const run: RequestHandler = (req, res) => route.run(req, res, res.locals.caller as Caller | undefined);
  return endpoint.body ? [admit, ...jsonBody(endpoint), run] : [admit, run];
}

async function authenticate({ req, res }: HttpExchange, verifier: TokenVerifier): Promise<Caller> {
  const [scheme, token] = (req.headers.authorization ?? '').split(' ');
  const caller = await verifier.verify(scheme?.toLowerCase() === 'bearer' ? token : undefined);
  res.locals.caller = caller;
  const context = requestContext.getStore();
  if (context) context.userId = caller.userId;
  return caller;
}

function assertAccess({ access, forbiddenMessage }: Endpoint, { role }: Caller): void {
  if (access === 'admin' && role !== 'admin')
    throw new AppError('forbidden', forbiddenMessage ?? 'Only for administrators');
}

const PROBES = ['/livez', '/readyz', '/metrics'];

const VALID_REQUEST_ID = /^[\w.-]{8,64}$/;

function enterRequest(
  metrics: Metrics,
  log: Logger,
  resolveClientInfo: (req: Request) => { address: string },
): RequestHandler {
  return (req, res, next) => {
    const sentId = req.headers['x-request-id'];
    const requestId = typeof sentId === 'string' && VALID_REQUEST_ID.test(sentId) ? sentId : newId();
    res.setHeader('x-request-id', requestId);
    const { address } = resolveClientInfo(req);
    const context: RequestContext = { requestId, ...(address !== '' && { address }) };
    const getRoute = () => String(res.locals.route ?? OTHER);
    const span = PROBES.includes(req.path) ? undefined : startRequestSpan(req);
    watchRequest({ req, res, metrics, log, getRoute, span, fields: () => ({ requestId, userId: context.userId }) });
    requestContext.run(context, () => (span ? span.run(next) : next()));
  };
}

/** Continues the trace of the gateway. A forged trace context only leads to a wrong trace. */
function startRequestSpan({ method, headers: { traceparent } }: Request): ActiveSpan | undefined {
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  return startSpan({ name: method, kind: 'server', root: true, parent });
}

function addProbes(app: Express, { health, metrics }: HttpAppOptions): void {
  app.use(PROBES, (_req, res, next) => {
    res.locals.route = PROBE;
    next();
  });
  app.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    const report = await health();
    res.status(report.status === 'unavailable' ? 503 : 200).json(report);
  });
  app.get('/metrics', async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

function auditDenials(securityLog: SecurityLog): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const { status, extra } = toAppError(error);
    const caller: Caller | undefined = res.locals.caller;
    const user = extra.tokenOwner ?? caller;
    if (status === 403 || (status === 401 && extra.tokenOwner !== undefined)) {
      const recording = securityLog.recordDenial({
        action: status === 403 ? 'access.denied' : 'token.rejected',
        outcome: 'denied',
        userId: user?.userId ?? null,
        address: requestContext.getStore()?.address ?? null,
        method: req.method,
        route: String(res.locals.route ?? ''),
        status,
        ...(user && { sessionId: user.sessionId }),
      });
      // Stored before the response, so that a crash cannot lose it.
      return void recording.then(() => next(error));
    }
    next(error);
  };
}
