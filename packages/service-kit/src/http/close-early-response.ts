import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long the rest of a request is still read after the response, so that its sender can read the response. */
const LINGER_MS = 2_000;

/**
 * Closes a connection whose request was answered before it had arrived completely, instead of reading all of it.
 * Delayed, since an immediate close would reset the connection and lose the response.
 */
export function closeEarlyResponse(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (req.complete) return;
    req.resume();
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MS).unref();
    req.once('end', () => clearTimeout(timer));
  });
}
