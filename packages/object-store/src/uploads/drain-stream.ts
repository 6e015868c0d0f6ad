import type { Request } from 'express';

/**
 * Discards the rest of a rejected body, up to `maxBytes`. Browsers and proxies read a response only once they have
 * sent everything, so an early rejection would not reach them. Beyond the limit, the connection is closed with the
 * response.
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
