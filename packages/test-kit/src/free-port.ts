import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports of outgoing connections, one of which could take it before its owner listens, and below those of the launcher.
const LOWEST = 10_240;
const HIGHEST = 19_999;

/** A port of this machine where nobody listens now, and which nothing but a listener will take. */
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
