import { AppError } from '@atrium/service-kit/http/app-error';
import type { Request } from 'express';

/** Aborts when the caller of a request goes; at once where they have gone already, for nothing tells of that again. */
export function disconnectSignal(req: Request): AbortSignal {
  if (req.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  req.once('close', () => gone.abort());
  return gone.signal;
}

/** For the record alone: who sent it is no longer there. A refusal, for nothing of ours has failed. */
export const uploadInterrupted = (cause?: unknown): AppError =>
  new AppError('validation_failed', 'The upload was interrupted', { cause });
