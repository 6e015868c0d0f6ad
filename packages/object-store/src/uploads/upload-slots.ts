import { AppError } from '@atrium/service-kit/errors/app-error';
import { uploadInterrupted } from './request-stream.ts';

export type UploadSlots = {
  /**
   * Waits for a slot within the user's share; users with the fewest running uploads go first. Throws
   * `unavailable` when that takes too long or the user has too many waiting uploads, and `validation_failed` when
   * `signal` is aborted.
   */
  run<T>(upload: () => Promise<T>, options: { userId: string; signal: AbortSignal }): Promise<T>;
};

export type SlotLimits = { concurrency: number; perUser: number; maxWaitingPerUser: number; waitMs: number };

type WaitingUpload = { userId: string; begin: () => void };

export function createUploadSlots({ concurrency, perUser, maxWaitingPerUser, waitMs }: SlotLimits): UploadSlots {
  const running = new Map<string, number>();
  let waiting: WaitingUpload[] = [];
  let freeSlots = concurrency;

  const countRunning = (userId: string) => running.get(userId) ?? 0;
  const occupySlot = (userId: string) => {
    freeSlots -= 1;
    running.set(userId, countRunning(userId) + 1);
  };
  const releaseSlot = (userId: string) => {
    freeSlots += 1;
    if (countRunning(userId) === 1) running.delete(userId);
    else running.set(userId, countRunning(userId) - 1);
    const [next] = waiting
      .filter(({ userId }) => countRunning(userId) < perUser)
      .sort((a, b) => countRunning(a.userId) - countRunning(b.userId));
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
      const entry: WaitingUpload = {
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
      if (freeSlots > 0 && countRunning(userId) < perUser) occupySlot(userId);
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
