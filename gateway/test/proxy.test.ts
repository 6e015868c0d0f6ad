import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { describe, expect, it } from '@jest/globals';
import { forwardResponse } from '../src/upstream/forward-response.ts';
import { createProxy, type Forwarder } from '../src/upstream/proxy.ts';
import { ask, json } from './raw-http.ts';
import { sendJson, startUpstream } from './start-upstream.ts';

const open = closeAfterEach();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Tried = { given?: Parameters<Forwarder['forward']>[2]; onRetry?: (times: number) => void };

/** A proxy to the target, with counts of retries and failures. */
async function proxyTo(target: string, { given, onRetry }: Tried) {
  const counts = { retries: 0, failed: 0 };
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
      counts.failed += 1;
    },
    onResponse: (answer, res) => forwardResponse(answer, res, false),
  });
  open.push(proxy);
  const url = await serve((req, res) => {
    // Hop-by-hop, as in `prepareHeaders`.
    delete req.headers.connection;
    proxy.forward(req, res, given);
  });
  return { url, counts };
}

describe('an unavailable upstream', () => {
  /** An upstream that starts after the third failed attempt, a quarter of a second later. */
  async function startUnavailable() {
    const upstream = await startUpstream('documents');
    open.push({ close: () => upstream.stop() });
    await upstream.stop();
    return { upstream, onRetry: (times: number) => void (times === 3 && upstream.restart()) };
  }

  it.each([
    ['PATCH', '{"title":"ü"}'],
    ['DELETE', undefined],
  ])('gets a %s once it is available again, even if it is not safe to send twice', async (method, text) => {
    const { upstream, onRetry } = await startUnavailable();
    const bodies: string[] = [];
    upstream.respondWith(async (req, res) => {
      let body = '';
      for await (const chunk of req.setEncoding('utf8')) body += chunk;
      bodies.push(body);
      sendJson(res, {});
    });
    const body = text === undefined ? undefined : Buffer.from(text);
    const { url, counts } = await proxyTo(upstream.url, { given: { body, isRetryable: () => false }, onRetry });
    expect((await ask(url, { method, path: '/api/documents/1' })).status).toBe(200);
    expect(counts).toEqual({ retries: 3, failed: 0 });
    expect(upstream.requests.map((req) => req.method)).toEqual([method]);
    expect(bodies).toEqual([text ?? '']);
  });

  it('is not retried for a streamed body', async () => {
    const { upstream, onRetry } = await startUnavailable();
    const { url, counts } = await proxyTo(upstream.url, { onRetry });
    expect((await ask(url, { method: 'POST', path: '/api/documents', body: 'a file' })).status).toBe(503);
    expect(counts).toEqual({ retries: 0, failed: 1 });
  });

  it('is given up after the last retry, like an unknown host name', async () => {
    // DNS labels cannot be that long.
    const { url, counts } = await proxyTo(`http://${'a'.repeat(64)}`, { given: { isRetryable: () => false } });
    expect((await ask(url, { method: 'POST', path: '/api/documents' })).status).toBe(503);
    expect(counts).toEqual({ retries: 4, failed: 1 });
  });
});

it('does not reuse a pooled connection for a retry', async () => {
  const upstream = await startUpstream('documents');
  open.push({ close: () => upstream.stop() });
  upstream.respondWith((req, res) => {
    if (upstream.requests.length % 2 === 1) req.socket.destroy();
    else sendJson(res, { port: req.socket.remotePort, connection: req.headers.connection });
  });
  const { url, counts } = await proxyTo(upstream.url, { given: { isRetryable: () => true } });
  const first = json(await ask(url, { path: '/api/documents' }));
  const second = json(await ask(url, { path: '/api/documents' }));
  expect(counts).toEqual({ retries: 2, failed: 0 });
  expect([first, second]).toEqual(Array(2).fill({ port: expect.any(Number), connection: 'close' }));
  expect(first).not.toEqual(second);
});
