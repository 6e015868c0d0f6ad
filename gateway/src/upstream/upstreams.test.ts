import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAgent } from './upstreams.ts';

const DRAIN_MS = 5_000;

describe('an idle upstream connection', () => {
  const server = createServer((req, res) => {
    if (req.url === '/slow') setTimeout(() => res.end('late'), DRAIN_MS);
    else res.end('fast');
  });
  server.keepAliveTimeout = 75_000;
  let url: URL;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => void server.close());

  const sendRequest = async (
    agent: ReturnType<typeof createAgent>,
    path: string,
  ): Promise<{ socket: Socket; text: string }> => {
    const [response]: IncomingMessage[] = await once(get(new URL(path, url), { agent }), 'response');
    if (!response) throw new Error('no response');
    const { socket } = response;
    return { socket, text: (await response.toArray()).join('') };
  };

  it('is closed by the gateway before a stopping pod closes it, and a busy one stays open', async () => {
    const agent = createAgent(url);
    const slowResponse = sendRequest(agent, '/slow');
    const { socket } = await sendRequest(agent, '/');
    expect((await sendRequest(agent, '/')).socket).toBe(socket);
    const startedAt = performance.now();
    await once(socket, 'close');
    expect(performance.now() - startedAt).toBeLessThan(DRAIN_MS);
    expect((await slowResponse).text).toBe('late');
    agent.destroy();
  });
});
