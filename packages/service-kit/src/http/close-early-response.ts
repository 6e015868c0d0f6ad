import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long the rest of a request is still taken in once it was answered, so that its sender gets to read the answer. */
const LINGER_MS = 2_000;

/**
 * Ends a connection whose request was answered before it had arrived, instead of reading all of it. Not at once: what is still coming
 * would be met by a reset, and the sender would lose the answer with it.
 */
export function closeEarlyResponse(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (req.complete) return;
    req.resume();
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MS).unref();
    req.once('end', () => clearTimeout(timer));
  });
}
