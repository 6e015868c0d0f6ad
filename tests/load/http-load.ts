import autocannon from 'autocannon';
import { median } from './figures.ts';

/** The gateway and the services close a connection after 1,000 requests, which autocannon ignores. */
const MAX_REQUESTS_PER_CONNECTION = 900;

type Options = {
  url: string;
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  method?: 'GET' | 'POST';
  /** A fixed body, or a function that is called for each request. */
  body?: string | (() => string);
};

/** Latencies in milliseconds; bytes of a whole response with its headers. */
export type Load = { perSecond: number; requests: number; medianMs: number; bytes: number };

/** Sends requests to one URL for a bounded time. Throws if any response was not 2xx. */
export async function loadHttp({
  url,
  connections,
  seconds,
  headers = {},
  method = 'GET',
  body,
}: Options): Promise<Load> {
  const makeBody = typeof body === 'function' ? body : undefined;
  const options: autocannon.Options = {
    url,
    connections,
    duration: seconds,
    reconnectRate: MAX_REQUESTS_PER_CONNECTION,
    headers,
    method,
    ...(typeof body === 'string' && { body }),
    ...(makeBody && { requests: [{ setupRequest: (request) => ({ ...request, body: makeBody() }) }] }),
  };
  // autocannon's histogram has whole milliseconds only.
  const latencies: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, outcome) => (error ? reject(error) : resolve(outcome)));
    run.on('response', (_client, _status, _bytes, ms) => latencies.push(ms));
  });
  if (result.non2xx > 0 || result.errors > 0) {
    const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => `${count} × ${status}`);
    throw new Error(`${url}: ${statuses.join(', ')}, ${result.errors} errors`);
  }
  return {
    perSecond: result.requests.total / result.duration,
    requests: result.requests.total,
    medianMs: median(latencies),
    bytes: result.throughput.total / result.requests.total,
  };
}
