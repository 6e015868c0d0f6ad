import { setTimeout as pause } from 'node:timers/promises';
import { isFault, type Ledger } from './acknowledged-writes.ts';
import { type Job, jobsOf, type Office, projectBody, type Site } from './jobs.ts';
import { hire, type Worker } from './people.ts';

/** Who works while pods come and go; those who only look on are others. */
const WORKERS = [
  ...['maya', 'jonas', 'aiko', 'tariq', 'ines', 'rui', 'petra', 'samuel', 'hanna', 'emeka'],
  ...['sofia', 'noah', 'chiara', 'mikael', 'zeynep', 'oliver', 'dmitri', 'grace', 'luca', 'freya'],
];
const USUALLY = 10;
const PAUSE_MS = [120, 480] as const;
const AGAIN_MS = 200;

type Made = { _id: string };

/** Something that goes on until it is told to rest. */
export type Work = {
  site: Site;
  /** Ends when no call is under way any more. */
  rest(): Promise<void>;
  resume(): void;
  /** Does one of every kind of write, each as often as it takes until it is acknowledged. */
  writeOfEveryKind(): Promise<void>;
};

export type Pace = Partial<Pick<Office, 'atOnce' | 'invites'>> & {
  /** How many people: ten, unless told, and twenty at most. */
  people?: number;
  pauseMs?: readonly [least: number, most: number];
};

/** People make and change things of every kind, each with a pause between two calls. */
export async function startWork(
  base: string,
  ledger: Ledger,
  { people = USUALLY, atOnce = 12, invites = false, pauseMs = PAUSE_MS }: Pace = {},
): Promise<Work> {
  const site = await openSite(base, ledger, people);
  const jobs = site.workers.map((worker) => jobsOf(worker, site, { base, ledger, atOnce, invites }));
  let working: { stop: AbortController; done: Promise<void> }[] = [];
  const begin = (list: readonly Job[]) => {
    const stop = new AbortController();
    return { stop, done: toil(list, pauseMs, stop.signal) };
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
    site,
    resume,
    rest: () => end(working),
    async writeOfEveryKind() {
      const [own = []] = jobs;
      await end(working.slice(0, 1));
      await Promise.all(own.filter(({ isWrite }) => isWrite).map(untilAcknowledged));
      working = [begin(own), ...working.slice(1)];
    },
  };
}

async function openSite(base: string, ledger: Ledger, count: number): Promise<Site> {
  const workers: Worker[] = [];
  for (const first of WORKERS.slice(0, count)) workers.push(await hire(base, first, ledger));
  const [admin] = workers;
  const people = workers.map(({ id }) => id);
  const project = await admin?.write<Made>('POST', '/projects', projectBody(admin, 'The place of work', people));
  const channel = { type: 'group', title: `at-work-${Date.now()}`, participants: people };
  const conversation = await admin?.write<Made>('POST', '/chat/conversations', channel);
  if (!project || !conversation) throw new Error('the place of the work could not be made');
  return { project: project._id, conversation: conversation._id, workers };
}

async function toil(
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

async function untilAcknowledged({ run }: Job): Promise<void> {
  while (!(await run())) await pause(AGAIN_MS);
}

/** What went wrong, at most so many. */
export const faultsIn = (ledger: Ledger, since: number, most = 5): string[] =>
  ledger
    .since(since)
    .filter(({ status }) => isFault(status))
    .slice(0, most)
    .map(({ call, status, body }) => `${call} answered ${status || 'nothing'}: ${JSON.stringify(body).slice(0, 200)}`);
