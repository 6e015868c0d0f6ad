import { availableParallelism } from 'node:os';
import { AppError } from '@atrium/service-kit/http/app-error';

/** OWASP's choice for Argon2id (decisions, section 2); the library's default algorithm is Argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A hash that no password has, so that an unknown person takes as long as a known one. */
const NOBODY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export type PasswordHasher = {
  hash(password: string): Promise<string>;
  /** False without a hash, after the time that a check takes. */
  matches(password: string, hash: string | null | undefined): Promise<boolean>;
};

/** Loaded by the first who needs it: a process at rest does without. */
const argon2 = () => import('@node-rs/argon2');

/** One of libuv's four threads stays free for signatures and names. */
const AT_ONCE = Math.min(availableParallelism(), 3);
/** At 11 ms each, the last in the queue waits about a second on two cores. */
const WAITING = 200;

/** Hashes off the event loop, a few at once with a bounded queue behind; throws `unavailable` beyond. */
export function createPasswordHasher(limits = { atOnce: AT_ONCE, waiting: WAITING }): PasswordHasher {
  const turn = createQueue(limits);
  // The same letter may be typed as one code point or two.
  const bytes = (password: string) => password.normalize('NFC');
  return {
    hash: (password) => turn(async () => (await argon2()).hash(bytes(password), COST)),
    matches: (password, known) =>
      turn(async () => {
        const right = await (await argon2()).verify(known ?? NOBODY, bytes(password));
        return right && typeof known === 'string';
      }),
  };
}

function createQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) {
        throw new AppError('unavailable', 'The server is busy. Please try again in a moment.', {
          retryAfterSeconds: 2,
        });
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
