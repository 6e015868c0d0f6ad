import type { Server } from 'node:http';
import type { BaseConfig } from '../config/env.ts';

const RECHECK_MS = 50;

/**
 * Stops listening and waits for requests in flight, at most half of `SHUTDOWN_TIMEOUT_SECONDS`, since later steps
 * need time, too. Node closes idle connections only once, so connections that become idle later are closed here
 * instead of waiting for their keep-alive timeout.
 */
export async function closeServer(
  server: Server,
  { SHUTDOWN_TIMEOUT_SECONDS }: Pick<BaseConfig, 'SHUTDOWN_TIMEOUT_SECONDS'>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const sweep = setInterval(() => server.closeIdleConnections(), RECHECK_MS);
  const hurry = setTimeout(() => server.closeAllConnections(), (SHUTDOWN_TIMEOUT_SECONDS / 2) * 1_000);
  await closed;
  clearInterval(sweep);
  clearTimeout(hurry);
}
