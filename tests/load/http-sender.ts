import { Agent, request } from 'node:http';

const MAX_CONNECTIONS = 64;
const IDLE_TIMEOUT_MS = 2_000;

/** Sends JSON with keep-alive connections. Rejects unless the status is 2xx. */
export type HttpSender = { send(body: unknown): Promise<void>; close(): void };

export function createHttpSender(url: string, headers: Record<string, string> = {}): HttpSender {
  // Closes idle connections before the server does, which could be while a request is sent.
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, timeout: IDLE_TIMEOUT_MS });
  return {
    send(body) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const text = JSON.stringify(body);
      const sent = request(
        url,
        {
          agent,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
        },
        (response) => {
          response.resume();
          const { statusCode = 0 } = response;
          if (statusCode >= 200 && statusCode < 300) resolve();
          else reject(new Error(`${url} returned ${statusCode}`));
        },
      );
      sent.on('error', reject);
      sent.end(text);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
