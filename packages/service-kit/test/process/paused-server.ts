import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dropAbandonedRequests } from '@atrium/service-kit/process/http-server';

/** A process that prints its port, and responds to each request with the paths of all requests it has handled. */
const handledPaths: string[] = [];
const { listener } = dropAbandonedRequests((req, res) => {
  if (req.method === 'POST') handledPaths.push(String(req.url));
  req.resume();
  res.end(JSON.stringify(handledPaths));
});
const server = createServer(listener).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
