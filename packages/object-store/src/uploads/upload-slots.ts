import { AppError } from '@atrium/service-kit/errors/app-error';
import { uploadInterrupted } from './request-stream.ts';

export type UploadSlots = {
  /**
   * Waits for a slot within the user's share; users with the fewest running uploads go first. Throws
   * `unavailable` when that takes too long and when too many of one user wait, and `validation_failed` when
   * `signal` is aborted.
   */
  run<T>(upload: () => Promise<T>, options: { userId: string; signal: AbortSignal }): Promise<T>;
};

export type SlotLimits = { concurrency: number; perUser: number; maxWaitingPerUser: number; waitMs: number };

type Waiting = { userId: string; begin: () => void };

export function createUploadSlots({ concurrency, perUser, maxWaitingPerUser, waitMs }: SlotLimits): UploadSlots {
  const running = new Map<string, number>();
  let waiting: Waiting[] = [];
  let free = concurrency;

  const runningOf = (userId: string) => running.get(userId) ?? 0;
  const occupySlot = (userId: string) => {
    free -= 1;
    running.set(userId, runningOf(userId) + 1);
  };
  const releaseSlot = (userId: string) => {
    free += 1;
    if (runningOf(userId) === 1) running.delete(userId);
    else running.set(userId, runningOf(userId) - 1);
    const [next] = waiting
      .filter(({ userId }) => runningOf(userId) < perUser)
      .sort((a, b) => runningOf(a.userId) - runningOf(b.userId));
    if (next) next.begin();
  };
  const waitForSlot = (userId: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        waiting = waiting.filter((other) => other !== entry);
      };
      const rejectWaiting = (reason: AppError) => {
        leave();
        reject(reason);
      };
      const onAbort = () => rejectWaiting(uploadInterrupted());
      const entry: Waiting = {
        userId,
        begin: () => {
          leave();
          occupySlot(userId);
          resolve();
        },
      };
      const timer = setTimeout(() => rejectWaiting(tooManyUploads()), waitMs).unref();
      signal.addEventListener('abort', onAbort);
      waiting.push(entry);
    });

  return {
    async run(upload, { userId, signal }) {
      if (signal.aborted) throw uploadInterrupted();
      if (free > 0 && runningOf(userId) < perUser) occupySlot(userId);
      else if (waiting.filter((entry) => entry.userId === userId).length >= maxWaitingPerUser) throw tooManyUploads();
      else await waitForSlot(userId, signal);
      try {
        return await upload();
      } finally {
        releaseSlot(userId);
      }
    },
  };
}

const tooManyUploads = () =>
  new AppError('unavailable', 'Too many uploads are running. Please try again in a moment.', { retryAfterSeconds: 10 });
