import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Upstream = {
  name: string;
  url: string;
  port: number;
  requests: IncomingMessage[];
  /** All connections that were ever opened. */
  connections: Set<Socket>;
  server: Server;
  /** Replaces the handler, which by default responds with the name of the server. */
  respondWith(listener: RequestListener): void;
  /** Closes all connections, as if killed. */
  stop(): Promise<void>;
  restart(): Promise<void>;
};

/** Starts a real HTTP server in place of a service. */
export async function startUpstream(name: string): Promise<Upstream> {
  const respondWithName: RequestListener = (req, res) => sendJson(res, { service: name, url: req.url });
  let listener = respondWithName;
  const requests: IncomingMessage[] = [];
  const connections = new Set<Socket>();
  const server = createServer((req, res) => {
    requests.push(req);
    listener(req, res);
  });
  server.on('connection', (socket) => connections.add(socket));
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections,
    server,
    respondWith: (newListener) => {
      listener = newListener;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
    restart: () => listen(port),
  };
}

export function sendJson(res: ServerResponse, body: unknown, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
