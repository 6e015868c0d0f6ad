import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ephemeral port range, from which an outgoing connection could take the port first, and below the launcher's
// ports.
const LOWEST = 10_240;
const HIGHEST = 19_999;

/** A free port of this machine that only an explicit listener can take. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
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
