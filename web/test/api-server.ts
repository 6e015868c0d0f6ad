import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type MockResponse = { status: number; headers?: Record<string, string>; body?: unknown };
type ReceivedRequest = {
  method: string;
  path: string;
  token: string | null;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** Resolves when the response is sent, or the request is canceled. */
  closed: Promise<void>;
};
/** A promise delays the response; `new Promise(() => undefined)` hangs. */
export type Handler = (request: ReceivedRequest) => MockResponse | Promise<MockResponse>;

/**
 * Starts an HTTP server on a free port and redirects `fetch` to it: the app calls its own origin, and jsdom has none.
 */
export async function startApi(handle: Handler): Promise<{ stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    void readBody(request).then(async (text) => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? null;
      const body: unknown = text ? JSON.parse(text) : undefined;
      const { method = '', url: path = '', headers } = request;
      const {
        status,
        headers: extraHeaders,
        body: responseBody,
      } = await handle({ method, path, token, headers, body, closed });
      response.writeHead(status, { 'content-type': 'application/json', ...extraHeaders });
      response.end(responseBody === undefined ? undefined : JSON.stringify(responseBody));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => original(...toPort(port, input, init));
  return {
    stop: async () => {
      globalThis.fetch = original;
      await close(server);
    },
  };
}

function toPort(port: number, input: RequestInfo | URL, init?: RequestInit): [Request] {
  const request = new Request(new URL(input instanceof Request ? input.url : input, 'http://localhost'), init);
  const url = new URL(request.url);
  const target = `http://127.0.0.1:${port}${url.pathname}${url.search}`;
  return [new Request(target, input instanceof Request ? input : request)];
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
