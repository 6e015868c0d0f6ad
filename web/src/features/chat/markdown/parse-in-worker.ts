import type { Root } from 'mdast';

/** Null if a text stays as it was typed. */
export type Tree = Root | null;

type Job = { texts: readonly string[]; resolve: (trees: readonly Tree[]) => void };

const DEADLINE_MS = 2_000;

const jobs: Job[] = [];
let worker: Worker | null = null;
let isRunning = false;

/**
 * Parses texts in one worker, in turn; urgent ones before those that wait. A text that was made to take long ends the
 * worker, stays as it was typed, and is not returned.
 */
export function parseInWorker(texts: readonly string[], isUrgent: boolean): Promise<readonly Tree[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Tree[]>();
  if (isUrgent) jobs.unshift({ texts, resolve });
  else jobs.push({ texts, resolve });
  if (!isRunning) void runJobs();
  return promise;
}

async function runJobs(): Promise<void> {
  isRunning = true;
  for (let job = jobs.shift(); job; job = jobs.shift()) job.resolve(await run(job.texts));
  isRunning = false;
  stopWorker();
}

async function run(texts: readonly string[]): Promise<readonly Tree[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Tree[] | null>();
  worker ??= new Worker(new URL('./message-worker.ts', import.meta.url), { type: 'module' });
  const deadline = setTimeout(resolve, DEADLINE_MS, null);
  worker.onmessage = ({ data }: MessageEvent<readonly Tree[]>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    resolve(null);
  };
  worker.postMessage(texts);
  const parsed = await promise;
  clearTimeout(deadline);
  if (parsed === null) stopWorker();
  return parsed ?? [];
}

function stopWorker(): void {
  worker?.terminate();
  worker = null;
}
