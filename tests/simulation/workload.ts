import { setTimeout as pause } from 'node:timers/promises';
import { buildProject } from '../workspace/builders.ts';
import { isServerError, type WriteTracker } from './acknowledged-writes.ts';
import { type Job, type JobContext, createJobs, type CreatedResource, type SimulationFixture } from './jobs.ts';
import { signInWorker, type Worker } from './workers.ts';

/** The users who work while pods start and stop. */
const WORKERS = [
  ...['maya', 'jonas', 'aiko', 'tariq', 'ines', 'rui', 'petra', 'samuel', 'hanna', 'emeka'],
  ...['sofia', 'noah', 'chiara', 'mikael', 'zeynep', 'oliver', 'dmitri', 'grace', 'luca', 'freya'],
];
const DEFAULT_WORKERS = 10;
const PAUSE_MS = [120, 480] as const;
const RETRY_DELAY_MS = 200;

/** A workload that runs until it is paused. */
export type Workload = {
  fixture: SimulationFixture;
  /** Resolves when no call is in flight. */
  pause(): Promise<void>;
  resume(): void;
  /** Performs each kind of write once, retried until it is acknowledged. */
  performEveryWrite(): Promise<void>;
};

export type WorkloadOptions = Partial<Pick<JobContext, 'concurrency' | 'invites'>> & {
  /** The number of users: ten by default, at most twenty. */
  people?: number;
  pauseMs?: readonly [least: number, most: number];
};

/** Users create and change resources of every kind, with pauses between calls. */
export async function startWorkload(
  base: string,
  tracker: WriteTracker,
  { people = DEFAULT_WORKERS, concurrency = 12, invites = false, pauseMs = PAUSE_MS }: WorkloadOptions = {},
): Promise<Workload> {
  const fixture = await createFixture(base, tracker, people);
  const jobs = fixture.workers.map((worker) => createJobs(worker, fixture, { base, tracker, concurrency, invites }));
  let working: { stop: AbortController; done: Promise<void> }[] = [];
  const begin = (list: readonly Job[]) => {
    const stop = new AbortController();
    return { stop, done: runJobs(list, pauseMs, stop.signal) };
  };
  const end = async (some: typeof working) => {
    for (const { stop } of some) stop.abort();
    await Promise.all(some.map(({ done }) => done));
  };
  const resume = () => {
    working = jobs.map(begin);
  };
  resume();
  return {
    fixture,
    resume,
    pause: () => end(working),
    async performEveryWrite() {
      const [own = []] = jobs;
      await end(working.slice(0, 1));
      await Promise.all(own.filter(({ isWrite }) => isWrite).map(retryUntilAcknowledged));
      working = [begin(own), ...working.slice(1)];
    },
  };
}

async function createFixture(base: string, tracker: WriteTracker, count: number): Promise<SimulationFixture> {
  const workers: Worker[] = [];
  for (const first of WORKERS.slice(0, count)) workers.push(await signInWorker(base, first, tracker));
  const [admin] = workers;
  if (!admin) throw new Error('A simulation needs at least one user');
  const people = workers.map(({ id }) => id);
  const project = await admin.write<CreatedResource>(
    'POST',
    '/projects',
    buildProject('Simulation', admin, { teamMembers: people }),
  );
  const channel = { type: 'group', title: `at-work-${Date.now()}`, participants: people };
  const conversation = await admin.write<CreatedResource>('POST', '/chat/conversations', channel);
  if (!project || !conversation) throw new Error('Failed to create the project and the conversation of the simulation');
  return { project: project._id, conversation: conversation._id, workers };
}

async function runJobs(
  jobs: readonly Job[],
  [least, most]: readonly [number, number],
  signal: AbortSignal,
): Promise<void> {
  const often = jobs.flatMap((job) => Array.from({ length: job.weight }, () => job));
  while (!signal.aborted) {
    await often[Math.floor(Math.random() * often.length)]?.run();
    await pause(least + Math.random() * (most - least), undefined, { signal }).catch(() => undefined);
  }
}

async function retryUntilAcknowledged({ run }: Job): Promise<void> {
  while (!(await run())) await pause(RETRY_DELAY_MS);
}

/** Descriptions of failed calls, limited to a maximum. */
export const describeFailures = (tracker: WriteTracker, since: number, most = 5): string[] =>
  tracker
    .callsSince(since)
    .filter(({ status }) => isServerError(status))
    .slice(0, most)
    .map(
      ({ call, status, body }) =>
        `${call} failed with status ${status || 'none'}: ${JSON.stringify(body).slice(0, 200)}`,
    );
