import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Request } from 'express';

/** Minimum rate of an upload, over a window long enough for unsteady connections. */
export type MinimumRate = { bytesPerSecond: number; windowMs: number };

/**
 * Calls `onSlow` once a client sends less than the minimum rate. Time during which the stream is not read, as with a
 * slow store, does not count.
 */
export function detectStall(
  req: Request,
  { bytesPerSecond, windowMs }: MinimumRate,
  onSlow: (error: AppError) => void,
): () => void {
  const needed = (bytesPerSecond * windowMs) / 1000;
  let before = req.socket.bytesRead;
  const timer = setInterval(() => {
    const now = req.socket.bytesRead;
    if (now - before < needed && !req.isPaused() && req.readableFlowing !== false) {
      onSlow(new AppError('request_timeout', 'The upload was too slow and was stopped. Please try again.'));
    }
    before = now;
  }, windowMs);
  return () => clearInterval(timer);
}
