import { once } from 'node:events';
import { createServer } from 'node:net';

// This range is below the launcher's ports and below the ephemeral ports, which outgoing connections could take first.
const MIN_PORT = 10_240;
const MAX_PORT = 19_999;

/** Finds a free port of this machine, outside the range from which the system assigns ports. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = MIN_PORT + Math.floor(Math.random() * (MAX_PORT - MIN_PORT));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
