import { setTimeout as delay } from 'node:timers/promises';
import { buildProject } from '../workspace/builders.ts';
import { isServerError, type WriteTracker } from './acknowledged-writes.ts';
import { type CreatedResource, createJobs, type Job, type JobContext, type SimulationFixture } from './jobs.ts';
import { signInWorker, type Worker } from './workers.ts';

/** First names of the demo users who work while pods start and stop. */
const WORKER_NAMES = [
  ...['maya', 'jonas', 'aiko', 'tariq', 'ines', 'rui', 'petra', 'samuel', 'hanna', 'emeka'],
  ...['sofia', 'noah', 'chiara', 'mikael', 'zeynep', 'oliver', 'dmitri', 'grace', 'luca', 'freya'],
];
const DEFAULT_USER_COUNT = 10;
const PAUSE_MS = [120, 480] as const;
const RETRY_DELAY_MS = 200;

/** A workload that runs until it is paused. */
export type Workload = {
  fixture: SimulationFixture;
  /** Pauses the workload, and resolves when no call is in flight. */
  pause(): Promise<void>;
  resume(): void;
  /** Performs each kind of write once. Each is retried until it is acknowledged. */
  performEveryWrite(): Promise<void>;
};

export type WorkloadOptions = Partial<Pick<JobContext, 'concurrency' | 'invites'>> & {
  /** The number of users: ten by default, at most twenty. */
  userCount?: number;
  /** The range of pauses between calls. */
  pauseMs?: readonly [min: number, max: number];
};

/** Starts users who create and change resources of every kind, with pauses between calls. */
export async function startWorkload(
  base: string,
  tracker: WriteTracker,
  { userCount = DEFAULT_USER_COUNT, concurrency = 12, invites = false, pauseMs = PAUSE_MS }: WorkloadOptions = {},
): Promise<Workload> {
  const fixture = await createFixture(base, tracker, userCount);
  const jobs = fixture.workers.map((worker) => createJobs(worker, fixture, { base, tracker, concurrency, invites }));
  let running: { stop: AbortController; done: Promise<void> }[] = [];
  const start = (list: readonly Job[]) => {
    const stop = new AbortController();
    return { stop, done: runJobs(list, pauseMs, stop.signal) };
  };
  const stopAll = async (runs: typeof running) => {
    for (const { stop } of runs) stop.abort();
    await Promise.all(runs.map(({ done }) => done));
  };
  const resume = () => {
    running = jobs.map(start);
  };
  resume();
  return {
    fixture,
    resume,
    pause: () => stopAll(running),
    async performEveryWrite() {
      // The first user is the administrator, who performs every kind of write.
      const [adminJobs = []] = jobs;
      await stopAll(running.slice(0, 1));
      await Promise.all(adminJobs.filter(({ isWrite }) => isWrite).map(retryUntilAcknowledged));
      running = [start(adminJobs), ...running.slice(1)];
    },
  };
}

async function createFixture(base: string, tracker: WriteTracker, count: number): Promise<SimulationFixture> {
  const workers: Worker[] = [];
  for (const first of WORKER_NAMES.slice(0, count)) workers.push(await signInWorker(base, first, tracker));
  const [admin] = workers;
  if (!admin) throw new Error('A simulation needs at least one user');
  const userIds = workers.map(({ id }) => id);
  const project = await admin.write<CreatedResource>(
    'POST',
    '/projects',
    buildProject('Simulation', admin, { teamMembers: userIds }),
  );
  const channel = { type: 'group', title: `simulation-${Date.now()}`, participants: userIds };
  const conversation = await admin.write<CreatedResource>('POST', '/chat/conversations', channel);
  if (!project || !conversation) throw new Error('Failed to create the project and the conversation of the simulation');
  return { project: project._id, conversation: conversation._id, workers };
}

async function runJobs(
  jobs: readonly Job[],
  [minMs, maxMs]: readonly [number, number],
  signal: AbortSignal,
): Promise<void> {
  const weightedJobs = jobs.flatMap((job) => Array.from({ length: job.weight }, () => job));
  while (!signal.aborted) {
    await weightedJobs[Math.floor(Math.random() * weightedJobs.length)]?.run();
    await delay(minMs + Math.random() * (maxMs - minMs), undefined, { signal }).catch(() => undefined);
  }
}

async function retryUntilAcknowledged({ run }: Job): Promise<void> {
  while (!(await run())) await delay(RETRY_DELAY_MS);
}

/** Describes the first calls that got no response or a server error since a time. */
export const describeFailures = (tracker: WriteTracker, since: number, maxCount = 5): string[] =>
  tracker
    .callsSince(since)
    .filter(({ status }) => isServerError(status))
    .slice(0, maxCount)
    .map(
      ({ call, status, body }) =>
        `${call} failed with status ${status || 'none'}: ${JSON.stringify(body).slice(0, 200)}`,
    );
