import type { IncomingHttpHeaders } from 'node:http';
import { API_PREFIX, type RequestOf } from '@atrium/proto-events/endpoint';
import {
  SEARCH_TIMEOUT_MS,
  SEARCHES,
  type SearchType,
  searchEverything,
  searchType,
} from '@atrium/proto-events/http/search/everything';
import { closeSignal } from '@atrium/service-kit/http/close-signal';
import type { Route } from '@atrium/service-kit/http/handle';
import { parseRequest } from '@atrium/service-kit/http/parse-request';
import type { Logger } from '@atrium/service-kit/observability/logger';
import { startSpan, TRACEPARENT } from '@atrium/service-kit/observability/tracing';
import type { Config } from '../config.ts';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { sendJson } from '../upstream/forward-response.ts';
import { createAgent, findService, getUpstreamUrl } from '../upstream/upstreams.ts';
import { requestJson } from './request-json.ts';

type SearchDeps = { config: Config; log: Logger; metrics: GatewayMetrics };
type Query = RequestOf<typeof searchEverything>['query'];
type Search = { query: Query; headers: IncomingHttpHeaders; signal: AbortSignal; canceled: AbortSignal };

/** Requests all types concurrently, and responds with those that have arrived in time. */
export function createSearch(deps: SearchDeps): { route: Route; close(): void } {
  const upstreams = searchType.options.map((type) => createUpstream(type, deps.config));
  return {
    route: {
      endpoint: searchEverything,
      async run(req, res) {
        const { query } = parseRequest(searchEverything, req);
        const canceled = closeSignal(res);
        const signal = AbortSignal.any([AbortSignal.timeout(SEARCH_TIMEOUT_MS), canceled]);
        const requested = upstreams.filter(({ type }) => query.types?.includes(type) ?? true);
        const search = { query, headers: req.headers, signal, canceled };
        const results = await Promise.all(requested.map((upstream) => findGroup(upstream, deps, search)));
        if (canceled.aborted) return;
        const denied = results.find((result) => result.status === 401);
        if (denied) return sendJson(res.status(401), denied.body);
        sendJson(res, joinGroups(results));
      },
    },
    close() {
      for (const { agent } of upstreams) agent.destroy();
    },
  };
}

type Result = { type: SearchType; status: number; body: string };

/** Services serialize responses by their contracts, so that the body of a 200 is an object. */
function joinGroups(results: readonly Result[]): string {
  const [found, missing] = [results.filter(isFound), results.filter((result) => !isFound(result))];
  const groups = found.map(({ type, body }) => `{"type":${JSON.stringify(type)},${body.slice(1)}`);
  return `{"groups":[${groups.join(',')}],"missing":${JSON.stringify(missing.map(({ type }) => type))}}`;
}

const isFound = ({ status }: Result) => status === 200;

type SearchUpstream = ReturnType<typeof createUpstream>;

function createUpstream(type: SearchType, config: Config) {
  const route = API_PREFIX + SEARCHES[type].path;
  const name = findService(route);
  if (name === undefined) throw new Error(`No service has the route ${route}`);
  const url = getUpstreamUrl(name, config);
  const path = `${url.pathname === '/' ? '' : url.pathname}${route}`;
  return { type, name, path, url, agent: createAgent(url) };
}

/** A failed request has the status 503. Browsers cancel searches while users type, which is no failure. */
async function findGroup(
  { type, name, path, url, agent }: SearchUpstream,
  { log, metrics }: SearchDeps,
  { query, headers, signal, canceled }: Search,
): Promise<Result> {
  const span = startSpan({ name: `to ${name}`, kind: 'client' });
  const requestHeaders = { ...pickHeaders(headers), ...(span && { [TRACEPARENT]: span.traceparent }) };
  metrics.countInFlight(name, 1);
  try {
    const target = new URL(`${path}?${toParameters(query)}`, url);
    const response = await requestJson({ url: target, agent, signal, headers: requestHeaders });
    return { type, ...response };
  } catch (error) {
    if (!canceled.aborted) {
      metrics.upstreamFailures.inc({ upstream: name });
      log.warn({ err: error, upstream: name, type, requestId: headers['x-request-id'] }, 'Search failed');
    }
    return { type, status: 503, body: '' };
  } finally {
    metrics.countInFlight(name, -1);
    span?.end();
  }
}

function toParameters({ q, limit, timezone }: Query): URLSearchParams {
  return new URLSearchParams({ q, limit: String(limit), ...(timezone !== undefined && { timezone }) });
}

const FORWARDED_HEADERS = [
  'authorization',
  'x-request-id',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'user-agent',
];

const pickHeaders = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(FORWARDED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
