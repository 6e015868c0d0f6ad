import { API_PREFIX } from '@atrium/proto-events/endpoint';
import { reportClientError } from '@atrium/proto-events/http/gateway';
import { notFound } from '@atrium/service-kit/errors/app-error';
import { redactEmails } from '@atrium/service-kit/errors/describe-error';
import { handle, type Route } from '@atrium/service-kit/http/handle';
import { methodNotAllowed } from '@atrium/service-kit/http/http-app';
import { errorHandler } from '@atrium/service-kit/http/http-errors';
import { jsonBody } from '@atrium/service-kit/http/json-body';
import type { Logger } from '@atrium/service-kit/observability/logger';
import express, { type Express, type RequestHandler } from 'express';
import type { Config } from '../config.ts';
import { docsPage } from './docs-page.ts';
import { healthRoute } from './health-route.ts';
import { openApiDocument } from './openapi.ts';
import { createWebApp } from './web-app.ts';

export function createLocalApp(config: Config, log: Logger, search: Route): Express {
  const app = express();
  app.disable('x-powered-by');
  for (const route of [healthRoute(config), clientErrorRoute(log), search]) mount(app, route);
  app.get(`${API_PREFIX}/openapi.json`, (_req, res) => {
    res.setHeader('Cache-Control', 'no-cache');
    res.type('json').send(openApiDocument());
  });
  app.use(`${API_PREFIX}/docs`, docsPage());
  app.use(API_PREFIX, () => {
    throw notFound();
  });
  // These are served on the internal port only, and must not fall through to the web app.
  app.use(['/livez', '/readyz', '/metrics'], () => {
    throw notFound();
  });
  if (config.WEB_ROOT !== undefined) app.use(createWebApp(config.WEB_ROOT));
  app.use(() => {
    throw notFound();
  });
  app.use(errorHandler(log));
  return app;
}

/** The web app shows users "Our team has been notified". */
function clientErrorRoute(log: Logger): Route {
  return handle(reportClientError, async ({ body }, _caller, { req }) => {
    const { message, stack, path = '' } = body;
    const [pagePath = ''] = path.split(/[?#]/);
    const clientError = {
      message: redactSecrets(message),
      ...(stack !== undefined && { stack: redactSecrets(stack) }),
      path: redactSecrets(pagePath),
    };
    log.error({ clientError, userAgent: req.get('user-agent')?.slice(0, 300) }, 'Client error reported');
  });
}

function mount(app: Express, { endpoint, run }: Route): void {
  const handler: RequestHandler = (req, res) => run(req, res, undefined);
  const route = app.route(API_PREFIX + endpoint.path);
  if (endpoint.method === 'GET') route.get(handler);
  else route.post(...jsonBody(endpoint), handler);
  route.all(methodNotAllowed([endpoint]));
}

const WORD = /[^\s)"']+/g;

/** See docs/decisions/0027. */
export const redactSecrets = (text: string): string => redactEmails(text.replaceAll(WORD, redactQuery));

/** Emailed links contain secrets. */
function redactQuery(word: string): string {
  const queryStart = word.search(/[?#]/);
  return queryStart !== -1 && word.includes('=', queryStart) ? word.slice(0, queryStart) : word;
}
