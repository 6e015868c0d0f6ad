import { readFile } from 'node:fs/promises';
import { waitFor } from '@atrium/test-kit/wait-for';

const commandOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
const isWorker = async (pid: number) => (await commandOf(pid)).includes('/extraction/worker/main.ts\0');

/** The workers among the children of a process: where tests run within the runner, it has others, too. */
export async function workersOf(pid: number | undefined): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = list.trim().split(' ').filter(Boolean).map(Number);
  const areWorkers = await Promise.all(children.map(isWorker));
  return children.filter((_child, index) => areWorkers[index]);
}

/** The one that runs, once it is no longer a shell, which has all of its words and none of its environment. */
export const workerOf = (pid: number | undefined) =>
  waitFor(
    async () => {
      for (const worker of await workersOf(pid)) if (!(await commandOf(worker)).startsWith('/bin/sh\0')) return worker;
      return undefined;
    },
    { what: 'a worker' },
  );

export const gone = (pid: number) => waitFor(async () => !(await commandOf(pid)), { what: `the end of ${pid}` });
