import { availableParallelism } from 'node:os';
import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { addressBlock } from '@atrium/service-kit/http/client-info';
import { createFairQueue } from './fair-queue.ts';

/** OWASP parameters for Argon2id, which is the default algorithm of the library. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Matches no password, so that an unknown account takes as long as a known one. */
const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

type HashClient = {
  address: string | null;
  /** True for a known device, an open session, or a verified link, which have a separate queue. */
  isKnown: boolean;
};

export type PasswordHasher = {
  hash(password: string, client: HashClient): Promise<string>;
  /** Returns false if there is no hash, but takes as long as a real check. */
  matches(password: string, hash: string | null | undefined, client: HashClient): Promise<boolean>;
};

/** Loaded on first use to save memory in idle processes. */
const argon2 = () => import('@node-rs/argon2');

const LIMITS = {
  /** Leaves one of libuv's four threads free for signatures and DNS. */
  concurrency: Math.min(availableParallelism(), 3),
  /** At 11 ms each, the last in the queue waits about a second on two cores. */
  maxWaiting: 150,
  maxWaitingKnown: 50,
};

/** Hashes off the event loop with bounded concurrency and queues; throws `unavailable` when a queue is full. */
export function createPasswordHasher(limits: Partial<typeof LIMITS> = {}): PasswordHasher {
  const schedule = createScheduler({ ...LIMITS, ...limits });
  // The same letter can be typed as one code point or two.
  const normalize = (password: string) => toNormalForm(password, 'NFC');
  return {
    hash: (password, client) => schedule(client, async () => (await argon2()).hash(normalize(password), COST)),
    matches: (password, storedHash, client) =>
      schedule(client, async () => {
        const isMatch = await (await argon2()).verify(storedHash ?? DUMMY_HASH, normalize(password));
        return isMatch && typeof storedHash === 'string';
      }),
  };
}

type WaitingTask = { start(): void; shed(): void };

function createScheduler({ concurrency, maxWaiting, maxWaitingKnown }: typeof LIMITS) {
  const knownQueue = createFairQueue<WaitingTask>(maxWaitingKnown);
  const unknownQueue = createFairQueue<WaitingTask>(maxWaiting);
  let running = 0;
  let knownGoesNext = true;

  const waitForTurn = (client: HashClient) =>
    new Promise<void>((start, reject) => {
      const queue = client.isKnown ? knownQueue : unknownQueue;
      queue.push(toQueueClient(client), { start, shed: () => reject(createBusyError()) })?.shed();
    });
  /** Alternates, so that neither queue waits until the other is empty. */
  const takeNextTask = () => {
    knownGoesNext = !knownGoesNext;
    return knownGoesNext ? (knownQueue.shift() ?? unknownQueue.shift()) : (unknownQueue.shift() ?? knownQueue.shift());
  };
  return async <T>(client: HashClient, work: () => Promise<T>): Promise<T> => {
    if (running < concurrency) running += 1;
    else await waitForTurn(client);
    try {
      return await work();
    } finally {
      const nextTask = takeNextTask();
      if (nextTask) nextTask.start();
      else running -= 1;
    }
  };
}

/** Providers assign an IPv6 /56 or /48 to each customer, who then has 256 or 65,536 networks. */
const toQueueClient = ({ address }: HashClient) => ({
  network: addressBlock(address ?? '', 48),
  address: addressBlock(address ?? '', 56),
});

const createBusyError = () =>
  new AppError('unavailable', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 2 });
