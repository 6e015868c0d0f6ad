import type { Request } from 'express';

/** Aborts when the caller of a request goes; at once where they have gone already, for nothing tells of that again. */
export function goneSignal(req: Request): AbortSignal {
  if (req.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  req.once('close', () => gone.abort());
  return gone.signal;
}
