import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dropAbandonedRequests } from '@atrium/service-kit/process/http-server';

/** A process that handles requests and reports: first its port, then each handled request. */
const done: string[] = [];
const { listener } = dropAbandonedRequests((req, res) => {
  if (req.method === 'POST') done.push(String(req.url));
  req.resume();
  res.end(JSON.stringify(done));
});
const server = createServer(listener).listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
