import { AppError } from '@atrium/service-kit/errors/app-error';
import type { Request } from 'express';

/**
 * Aborts when the client of a request disconnects; immediately if it already has, since no further event is emitted.
 */
export function disconnectSignal(req: Request): AbortSignal {
  if (req.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  req.once('close', () => controller.abort());
  return controller.signal;
}

/** Only for the log, since the client has disconnected. A client error: nothing in Atrium failed. */
export const uploadInterrupted = (cause?: unknown): AppError =>
  new AppError('validation_failed', 'The upload was interrupted', { cause });
