import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { closeAfterEach } from '../close-after-each.ts';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { openBalancer } from './balancer.ts';

const open = closeAfterEach();

async function startProcess(name: string) {
  const state = { ready: true };
  const server: Server = createServer((req, res) => {
    if (req.url === '/readyz') res.writeHead(state.ready ? 200 : 503).end();
    else res.end(name);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ close: () => server.closeAllConnections() }, server);
  const { port } = server.address() as AddressInfo;
  return { state, target: { port, readyUrl: `http://127.0.0.1:${port}/readyz` } };
}

describe('a balancer', () => {
  it('connects only to ready processes, and to none if none is ready', async () => {
    const balancer = await openBalancer(await freePort());
    open.push(balancer);
    const [one, other] = [await startProcess('one'), await startProcess('other')];
    await balancer.add(one.target);
    await balancer.add(other.target);
    const request = () =>
      fetch(`http://127.0.0.1:${balancer.port}/`, { headers: { connection: 'close' } }).then(
        (response) => response.text(),
        () => 'nobody',
      );
    const requestRepeatedly = async () => new Set(await Promise.all(Array.from({ length: 8 }, request)));
    await waitFor(async () => (await requestRepeatedly()).size === 2 && !(await requestRepeatedly()).has('nobody'), {
      description: 'both',
    });
    one.state.ready = false;
    await waitFor(async () => [...(await requestRepeatedly())].join() === 'other', {
      description: 'the one that is ready',
    });
    balancer.remove(other.target);
    expect([...(await requestRepeatedly())]).toEqual(['nobody']);
  });
});
