import type { Request } from 'express';

/**
 * Reads and throws away what is left of a refused body, up to `maxBytes`. Browsers and proxies look for an answer only once they
 * have sent everything, so a refusal that came earlier would leave them waiting. Beyond that the connection ends with the answer.
 */
export async function drainStream(req: Request, maxBytes: number): Promise<void> {
  if (req.readableEnded || req.destroyed) return;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let left = maxBytes;
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) resolve();
  };
  req.on('data', count);
  req.once('end', resolve);
  req.once('close', resolve);
  req.resume();
  await over;
  req.off('data', count);
  if (left >= 0) return;
  req.pause();
  req.res?.setHeader('Connection', 'close');
}
