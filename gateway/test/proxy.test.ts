import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@atrium/service-kit/observe/logger';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { expect, it } from '@jest/globals';
import { createProxy, passOn } from '../src/upstream/proxy.ts';
import { ask } from './raw-http.ts';
import { startUpstream } from './start-upstream.ts';

const open = closeAfterEach();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('goes once more to a service of which nobody was there to take the request, whatever it asks for', async () => {
  const upstream = await startUpstream('documents');
  await upstream.stop();
  // It says that there was nobody: just then somebody comes.
  const log = createLogger('gateway', 'info', { write: () => void upstream.restart() });
  const proxy = createProxy({
    name: 'documents',
    target: new URL(upstream.url),
    timeoutMs: 5_000,
    log,
    onFailure: () => undefined,
    answer: (answer, res) => passOn(answer, res, false),
  });
  const url = await serve((req, res) => proxy.forward(req, res, { isRepeatable: () => false }));
  open.push({ close: () => upstream.stop() }, proxy);
  const answer = await ask(url, { method: 'DELETE', path: '/api/documents/1' });
  expect(answer.status).toBe(200);
  expect(upstream.asked.map(({ method }) => method)).toEqual(['DELETE']);
});
