import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { describe, expect, it } from '@jest/globals';
import { forwardResponse } from '../src/upstream/forward-response.ts';
import { createProxy, type Forwarder } from '../src/upstream/proxy.ts';
import { parseJson, sendRequest } from './raw-http.ts';
import { sendJson, startUpstream } from './start-upstream.ts';

const closables = closeAfterEach();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closables.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type ProxyOptions = { forwardOptions?: Parameters<Forwarder['forward']>[2]; onRetry?: (retryCount: number) => void };

/** Starts a proxy to the target that counts retries and failures. */
async function startProxy(target: string, { forwardOptions, onRetry }: ProxyOptions) {
  const counts = { retries: 0, failures: 0 };
  const proxy = createProxy({
    name: 'documents',
    target: new URL(target),
    timeoutMs: 10_000,
    log: createLogger('gateway', 'info', {
      write(line) {
        if (!line.includes('Retrying request')) return;
        counts.retries += 1;
        onRetry?.(counts.retries);
      },
    }),
    onFailure: () => {
      counts.failures += 1;
    },
    onResponse: (upstreamResponse, res) => forwardResponse(upstreamResponse, res, false),
  });
  closables.push(proxy);
  const url = await serve((req, res) => {
    // Removes the hop-by-hop header, as `prepareHeaders` does.
    delete req.headers.connection;
    proxy.forward(req, res, forwardOptions);
  });
  return { url, counts };
}

describe('an unavailable upstream', () => {
  /** Returns a stopped upstream, which `onRetry` restarts at the third retry. */
  async function startUnavailable() {
    const upstream = await startUpstream('documents');
    closables.push({ close: () => upstream.stop() });
    await upstream.stop();
    return { upstream, onRetry: (retryCount: number) => void (retryCount === 3 && upstream.restart()) };
  }

  it.each([
    ['PATCH', '{"title":"ü"}'],
    ['DELETE', undefined],
  ])('receives a %s request once it is available again, even if it is not safe to send twice', async (method, text) => {
    const { upstream, onRetry } = await startUnavailable();
    const bodies: string[] = [];
    upstream.respondWith(async (req, res) => {
      let body = '';
      for await (const chunk of req.setEncoding('utf8')) body += chunk;
      bodies.push(body);
      sendJson(res, {});
    });
    const body = text === undefined ? undefined : Buffer.from(text);
    const { url, counts } = await startProxy(upstream.url, {
      forwardOptions: { body, isRetryable: () => false },
      onRetry,
    });
    expect((await sendRequest(url, { method, path: '/api/documents/1' })).status).toBe(200);
    expect(counts).toEqual({ retries: 3, failures: 0 });
    expect(upstream.requests.map((req) => req.method)).toEqual([method]);
    expect(bodies).toEqual([text ?? '']);
  });

  it('receives no retry of a request with a streamed body', async () => {
    const { upstream, onRetry } = await startUnavailable();
    const { url, counts } = await startProxy(upstream.url, { onRetry });
    expect((await sendRequest(url, { method: 'POST', path: '/api/documents', body: 'a file' })).status).toBe(503);
    expect(counts).toEqual({ retries: 0, failures: 1 });
  });

  it('is reported as unavailable after the last retry, also for an unknown host name', async () => {
    // DNS labels cannot be that long.
    const { url, counts } = await startProxy(`http://${'a'.repeat(64)}`, {
      forwardOptions: { isRetryable: () => false },
    });
    expect((await sendRequest(url, { method: 'POST', path: '/api/documents' })).status).toBe(503);
    expect(counts).toEqual({ retries: 4, failures: 1 });
  });
});

it('does not reuse a pooled connection for a retry', async () => {
  const upstream = await startUpstream('documents');
  closables.push({ close: () => upstream.stop() });
  upstream.respondWith((req, res) => {
    if (upstream.requests.length % 2 === 1) req.socket.destroy();
    else sendJson(res, { port: req.socket.remotePort, connection: req.headers.connection });
  });
  const { url, counts } = await startProxy(upstream.url, { forwardOptions: { isRetryable: () => true } });
  const first = parseJson(await sendRequest(url, { path: '/api/documents' }));
  const second = parseJson(await sendRequest(url, { path: '/api/documents' }));
  expect(counts).toEqual({ retries: 2, failures: 0 });
  expect([first, second]).toEqual(Array(2).fill({ port: expect.any(Number), connection: 'close' }));
  expect(first).not.toEqual(second);
});
