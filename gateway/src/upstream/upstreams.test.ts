import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentFor } from './upstreams.ts';

const DRAIN_MS = 5_000;

describe('an upstream connection', () => {
  const server = createServer((req, res) => {
    if (req.url === '/slow') setTimeout(() => res.end('late'), DRAIN_MS);
    else res.end('at once');
  });
  server.keepAliveTimeout = 75_000;
  let url: URL;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => void server.close());

  const ask = async (agent: ReturnType<typeof agentFor>, path: string): Promise<{ socket: Socket; text: string }> => {
    const [response]: IncomingMessage[] = await once(get(new URL(path, url), { agent }), 'response');
    if (!response) throw new Error('no response');
    const { socket } = response;
    return { socket, text: (await response.toArray()).join('') };
  };

  it('is closed by the gateway when idle before a stopping pod closes it, but not while in use', async () => {
    const agent = agentFor(url);
    const slow = ask(agent, '/slow');
    const { socket } = await ask(agent, '/');
    expect((await ask(agent, '/')).socket).toBe(socket);
    const startedAt = performance.now();
    await once(socket, 'close');
    expect(performance.now() - startedAt).toBeLessThan(DRAIN_MS);
    expect((await slow).text).toBe('late');
    agent.destroy();
  });
});
