import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { closeAfterEach } from '../close-after-each.ts';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { openBalancer } from './balancer.ts';

const closeables = closeAfterEach();

async function startProcess(name: string) {
  const state = { ready: true };
  const server: Server = createServer((req, res) => {
    if (req.url === '/readyz') res.writeHead(state.ready ? 200 : 503).end();
    else res.end(name);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeables.push({ close: () => server.closeAllConnections() }, server);
  const { port } = server.address() as AddressInfo;
  return { state, target: { port, readyUrl: `http://127.0.0.1:${port}/readyz` } };
}

describe('a balancer', () => {
  it('connects only to ready processes, and to none if none is ready', async () => {
    const balancer = await openBalancer(await freePort());
    closeables.push(balancer);
    const first = await startProcess('first');
    const second = await startProcess('second');
    await balancer.add(first.target);
    await balancer.add(second.target);
    const request = () =>
      fetch(`http://127.0.0.1:${balancer.port}/`, { headers: { connection: 'close' } }).then(
        (response) => response.text(),
        () => 'none',
      );
    const requestRepeatedly = async () => new Set(await Promise.all(Array.from({ length: 8 }, request)));
    await waitFor(async () => (await requestRepeatedly()).size === 2 && !(await requestRepeatedly()).has('none'), {
      description: 'both processes to receive requests',
    });
    first.state.ready = false;
    await waitFor(async () => [...(await requestRepeatedly())].join() === 'second', {
      description: 'only the ready process to receive requests',
    });
    balancer.remove(second.target);
    expect([...(await requestRepeatedly())]).toEqual(['none']);
  });
});
