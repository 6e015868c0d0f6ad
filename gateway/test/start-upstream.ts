import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Upstream = {
  name: string;
  url: string;
  port: number;
  /** What it was asked, in order. */
  asked: IncomingMessage[];
  /** Connections that were ever made to it. */
  connections: Set<Socket>;
  server: Server;
  /** Answers every request from now on; by default it says who it is. */
  answer(listener: RequestListener): void;
  /** Goes away like a process that was killed. */
  stop(): Promise<void>;
  /** Comes back on the same port. */
  restart(): Promise<void>;
};

/** A small, real HTTP server in the place of one service. */
export async function startUpstream(name: string): Promise<Upstream> {
  const sayWho: RequestListener = (req, res) => sendJson(res, { service: name, url: req.url });
  let listener = sayWho;
  const asked: IncomingMessage[] = [];
  const connections = new Set<Socket>();
  const server = createServer((req, res) => {
    asked.push(req);
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
    asked,
    connections,
    server,
    answer: (given) => {
      listener = given;
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
