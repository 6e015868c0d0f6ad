import { readFile } from 'node:fs/promises';
import { waitFor } from '@atrium/test-kit/wait-for';

const readCommand = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
const isWorker = async (pid: number) => (await readCommand(pid)).includes('/extraction/worker/main.ts\0');

/** Finds the worker processes of a process; the test runner may have other children. */
export async function findWorkers(pid: number | undefined): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = list.trim().split(' ').filter(Boolean).map(Number);
  const areWorkers = await Promise.all(children.map(isWorker));
  return children.filter((_child, index) => areWorkers[index]);
}

/** Waits until the worker has replaced its shell, whose environment is not empty. */
export const waitForWorker = (pid: number | undefined) =>
  waitFor(
    async () => {
      for (const worker of await findWorkers(pid))
        if (!(await readCommand(worker)).startsWith('/bin/sh\0')) return worker;
      return undefined;
    },
    { description: 'a worker' },
  );

export const waitForExit = (pid: number) =>
  waitFor(async () => !(await readCommand(pid)), { description: `the end of ${pid}` });
