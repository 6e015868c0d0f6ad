import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Request } from 'express';

/** Aborts immediately if the client has already disconnected, since no further event is emitted. */
export function disconnectSignal(req: Request): AbortSignal {
  if (req.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  req.once('close', () => controller.abort());
  return controller.signal;
}

/**
 * Appears only in logs, because the client has disconnected. It is a client error, because nothing in Atrium failed.
 */
export const uploadInterrupted = (cause?: unknown): AppError =>
  new AppError('validation_failed', 'The upload was interrupted', { cause });

/**
 * Discards the rest of a rejected body, up to `maxBytes`. Browsers and proxies read a response only once they have
 * sent everything, so an early rejection would not reach them. Beyond the limit, the connection is closed with the
 * response.
 */
export async function drainStream(req: Request, maxBytes: number): Promise<void> {
  if (req.readableEnded || req.destroyed) return;
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let remaining = maxBytes;
  const count = (chunk: Buffer) => {
    remaining -= chunk.length;
    if (remaining < 0) resolve();
  };
  req.on('data', count);
  req.once('end', resolve);
  req.once('close', resolve);
  req.resume();
  await done;
  req.off('data', count);
  if (remaining >= 0) return;
  req.pause();
  req.res?.setHeader('Connection', 'close');
}

/** Minimum rate of an upload, over a window long enough for unsteady connections. */
export type MinimumRate = { bytesPerSecond: number; windowMs: number };

/** Reports an upload below the minimum rate. Ignores time while the stream is not read, such as for a slow store. */
export function detectStall(
  req: Request,
  { bytesPerSecond, windowMs }: MinimumRate,
  onSlow: (error: AppError) => void,
): () => void {
  const minBytes = (bytesPerSecond * windowMs) / 1000;
  let previous = req.socket.bytesRead;
  const timer = setInterval(() => {
    const current = req.socket.bytesRead;
    if (current - previous < minBytes && !req.isPaused() && req.readableFlowing !== false) {
      onSlow(new AppError('request_timeout', 'The upload was too slow and was stopped. Please try again.'));
    }
    previous = current;
  }, windowMs);
  return () => clearInterval(timer);
}
