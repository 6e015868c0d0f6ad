import autocannon from 'autocannon';

type Options = {
  url: string;
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
  method?: 'GET' | 'POST';
  body?: string;
};

/** What a load came to. Latencies in milliseconds. */
export type Load = { perSecond: number; requests: number; medianMs: number };

/** Loads one URL for a bounded time. Throws when anything but 2xx came back: a rate of refusals is no rate. */
export async function loadHttp({
  url,
  connections,
  seconds,
  headers = {},
  method = 'GET',
  body,
}: Options): Promise<Load> {
  const result = await autocannon({ url, connections, duration: seconds, headers, method, ...(body && { body }) });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return {
    perSecond: result.requests.total / result.duration,
    requests: result.requests.total,
    medianMs: result.latency.p50,
  };
}
