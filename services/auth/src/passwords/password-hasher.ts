import { availableParallelism } from 'node:os';
import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { AppError } from '@atrium/service-kit/http/app-error';
import { addressBlock } from '@atrium/service-kit/http/ip-address';
import { createFairQueue } from './fair-queue.ts';

/** OWASP's choice for Argon2id (decisions, section 2); the library's default algorithm is Argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A hash that no password has, so that an unknown person takes as long as a known one. */
const NOBODY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whose turn it is charged to. */
export type HashOrigin = {
  address: string | null;
  /** A device that signed in before, an open session, or a link that was checked: strangers do not stand in its way. */
  isKnown: boolean;
};

export type PasswordHasher = {
  hash(password: string, origin: HashOrigin): Promise<string>;
  /** False without a hash, after the time that a check takes. */
  matches(password: string, hash: string | null | undefined, origin: HashOrigin): Promise<boolean>;
};

/** Loaded by the first who needs it: a process at rest does without. */
const argon2 = () => import('@node-rs/argon2');

const LIMITS = {
  /** One of libuv's four threads stays free for signatures and names. */
  concurrency: Math.min(availableParallelism(), 3),
  /** At 11 ms each, the last in the queue waits about a second on two cores. */
  maxWaiting: 150,
  maxWaitingKnown: 50,
};

/** Hashes off the event loop, a few at once with bounded queues behind; throws `unavailable` for what a full queue sheds. */
export function createPasswordHasher(limits: Partial<typeof LIMITS> = {}): PasswordHasher {
  const schedule = createScheduler({ ...LIMITS, ...limits });
  // The same letter may be typed as one code point or two.
  const bytes = (password: string) => toNormalForm(password, 'NFC');
  return {
    hash: (password, origin) => schedule(origin, async () => (await argon2()).hash(bytes(password), COST)),
    matches: (password, known, origin) =>
      schedule(origin, async () => {
        const right = await (await argon2()).verify(known ?? NOBODY, bytes(password));
        return right && typeof known === 'string';
      }),
  };
}

type Waiting = { start(): void; shed(): void };

function createScheduler({ concurrency, maxWaiting, maxWaitingKnown }: typeof LIMITS) {
  const known = createFairQueue<Waiting>(maxWaitingKnown);
  const strangers = createFairQueue<Waiting>(maxWaiting);
  let running = 0;
  let isTurnOfKnown = true;

  const wait = (origin: HashOrigin) =>
    new Promise<void>((start, reject) => {
      const queue = origin.isKnown ? known : strangers;
      queue.push(queueOrigin(origin), { start, shed: () => reject(busy()) })?.shed();
    });
  /** By turns, so that neither queue waits for the whole of the other. */
  const next = () => {
    isTurnOfKnown = !isTurnOfKnown;
    return isTurnOfKnown ? (known.shift() ?? strangers.shift()) : (strangers.shift() ?? known.shift());
  };
  return async <T>(origin: HashOrigin, work: () => Promise<T>): Promise<T> => {
    if (running < concurrency) running += 1;
    else await wait(origin);
    try {
      return await work();
    } finally {
      const waiting = next();
      if (waiting) waiting.start();
      else running -= 1;
    }
  };
}

/** Providers give a customer a /56 or a /48 of IPv6: whoever has one has its 256 or 65,536 networks. */
const queueOrigin = ({ address }: HashOrigin) => ({
  network: addressBlock(address ?? '', 48),
  address: addressBlock(address ?? '', 56),
});

const busy = () =>
  new AppError('unavailable', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 2 });
