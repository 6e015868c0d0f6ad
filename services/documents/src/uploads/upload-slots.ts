import { AppError } from '@atrium/service-kit/app-error';

/** Bounds how many uploads run at once, and with them the memory they hold. */
export type UploadSlots = {
  /** Runs `upload` in a slot. Throws `unavailable` at once when all are taken. */
  run<T>(upload: () => Promise<T>): Promise<T>;
};

export function createUploadSlots(count: number): UploadSlots {
  let free = count;
  return {
    async run(upload) {
      if (free === 0) {
        const message = 'Too many uploads are running. Please try again in a moment.';
        throw new AppError('unavailable', message, { retryAfterSeconds: 10 });
      }
      free -= 1;
      try {
        return await upload();
      } finally {
        free += 1;
      }
    },
  };
}
