import { readFile } from 'node:fs/promises';
import { waitFor } from '@atrium/test-kit/wait-for';

const commandOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
const isWorker = async (pid: number) => (await commandOf(pid)).includes('/extraction/worker/main.ts\0');

/** The worker processes of a process; the test runner may have other children. */
export async function workersOf(pid: number | undefined): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = list.trim().split(' ').filter(Boolean).map(Number);
  const areWorkers = await Promise.all(children.map(isWorker));
  return children.filter((_child, index) => areWorkers[index]);
}

/** The running worker, after it has replaced its shell: while it is one, its environment is not yet empty. */
export const workerOf = (pid: number | undefined) =>
  waitFor(
    async () => {
      for (const worker of await workersOf(pid)) if (!(await commandOf(worker)).startsWith('/bin/sh\0')) return worker;
      return undefined;
    },
    { what: 'a worker' },
  );

export const gone = (pid: number) => waitFor(async () => !(await commandOf(pid)), { what: `the end of ${pid}` });
