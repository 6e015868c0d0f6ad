import type { Server } from 'node:http';

const LOOK_AGAIN_MS = 50;

/**
 * Stops listening and waits for the requests under way, at most `graceMs` milliseconds. Node closes idle connections once, when
 * asked; one that becomes idle with its last answer would otherwise be waited for until its keep-alive time is over.
 */
export async function closeServer(server: Server, graceMs = 10_000): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), LOOK_AGAIN_MS);
  const hurry = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(hurry);
}
