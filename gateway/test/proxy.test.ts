import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@atrium/service-kit/observability/logger';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { describe, expect, it } from '@jest/globals';
import { createProxy, type Forwarder, forwardResponse } from '../src/upstream/proxy.ts';
import { ask, json } from './raw-http.ts';
import { sendJson, startUpstream } from './start-upstream.ts';

const open = closeAfterEach();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Tried = { given?: Parameters<Forwarder['forward']>[2]; onAgain?: (times: number) => void };

/** A proxy before that address, and how often it said that it tries again and that it gave up. */
async function proxyTo(target: string, { given, onAgain }: Tried) {
  const told = { again: 0, failed: 0 };
  const proxy = createProxy({
    name: 'documents',
    target: new URL(target),
    timeoutMs: 10_000,
    log: createLogger('gateway', 'info', {
      write(line) {
        if (!line.includes('once more')) return;
        told.again += 1;
        onAgain?.(told.again);
      },
    }),
    onFailure: () => {
      told.failed += 1;
    },
    answer: (answer, res) => forwardResponse(answer, res, false),
  });
  open.push(proxy);
  const url = await serve((req, res) => {
    // As `prepareHeaders` does: it concerns the caller's connection.
    delete req.headers.connection;
    proxy.forward(req, res, given);
  });
  return { url, told };
}

describe('a service of which nobody is there to take a request', () => {
  /** Comes back when it was missed for the third time, which is a quarter of a second later. */
  async function startAway() {
    const upstream = await startUpstream('documents');
    open.push({ close: () => upstream.stop() });
    await upstream.stop();
    return { upstream, onAgain: (times: number) => void (times === 3 && upstream.restart()) };
  }

  it.each([
    ['PATCH', '{"title":"ü"}'],
    ['DELETE', undefined],
  ])('is asked for a %s until somebody is, whatever a repeat would do', async (method, text) => {
    const { upstream, onAgain } = await startAway();
    const bodies: string[] = [];
    upstream.answer(async (req, res) => {
      let body = '';
      for await (const chunk of req.setEncoding('utf8')) body += chunk;
      bodies.push(body);
      sendJson(res, {});
    });
    const body = text === undefined ? undefined : Buffer.from(text);
    const { url, told } = await proxyTo(upstream.url, { given: { body, isRepeatable: () => false }, onAgain });
    expect((await ask(url, { method, path: '/api/documents/1' })).status).toBe(200);
    expect(told).toEqual({ again: 3, failed: 0 });
    expect(upstream.asked.map((req) => req.method)).toEqual([method]);
    expect(bodies).toEqual([text ?? '']);
  });

  it('is not asked again for what is passed on as it comes', async () => {
    const { upstream, onAgain } = await startAway();
    const { url, told } = await proxyTo(upstream.url, { onAgain });
    expect((await ask(url, { method: 'POST', path: '/api/documents', body: 'a file' })).status).toBe(503);
    expect(told).toEqual({ again: 0, failed: 1 });
  });

  it('is given up in the end, as one whose name is not known', async () => {
    // No name has a part that long.
    const { url, told } = await proxyTo(`http://${'a'.repeat(64)}`, { given: { isRepeatable: () => false } });
    expect((await ask(url, { method: 'POST', path: '/api/documents' })).status).toBe(503);
    expect(told).toEqual({ again: 4, failed: 1 });
  });
});

it('takes no connection that was kept for a second try', async () => {
  const upstream = await startUpstream('documents');
  open.push({ close: () => upstream.stop() });
  upstream.answer((req, res) => {
    if (upstream.asked.length % 2 === 1) req.socket.destroy();
    else sendJson(res, { port: req.socket.remotePort, connection: req.headers.connection });
  });
  const { url, told } = await proxyTo(upstream.url, { given: { isRepeatable: () => true } });
  const first = json(await ask(url, { path: '/api/documents' }));
  const second = json(await ask(url, { path: '/api/documents' }));
  expect(told).toEqual({ again: 2, failed: 0 });
  expect([first, second]).toEqual(Array(2).fill({ port: expect.any(Number), connection: 'close' }));
  expect(first).not.toEqual(second);
});
