import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../observability/logger.ts';
import { type PollingLoop, startPollingLoop } from './polling-loop.ts';

const log = createLogger('test', 'silent');
const HOUR_MS = 3_600_000;
const openLoops: PollingLoop[] = [];
afterEach(() => Promise.all(openLoops.splice(0).map((loop) => loop.close())));

function start(round: (count: number) => Promise<boolean>) {
  let roundCount = 0;
  const loop = startPollingLoop({
    name: 'test',
    intervalMs: HOUR_MS,
    log,
    round: () => {
      roundCount += 1;
      return round(roundCount);
    },
  });
  openLoops.push(loop);
  return { loop, count: () => roundCount };
}

describe('startPollingLoop', () => {
  it('continues immediately while there may be more work, then waits for the interval', async () => {
    const { count } = start(async (nth) => nth < 4);
    await waitFor(() => count() === 4, { description: 'four rounds' });
    await nextTurn();
    expect(count()).toBe(4);
  });

  it('coalesces wakes during a round into one more round', async () => {
    let finish = () => {};
    const firstRound = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { loop, count } = start(async (nth) => {
      if (nth === 1) await firstRound;
      return false;
    });
    for (let n = 0; n < 5; n += 1) loop.wake();
    finish();
    await waitFor(() => count() === 2, { description: 'the coalesced round' });
    loop.wake();
    await waitFor(() => count() === 3, { description: 'a separate round' });
  });

  it('continues after a failed round', async () => {
    const { loop, count } = start(async (nth) => {
      if (nth === 1) throw new Error('no');
      return false;
    });
    await waitFor(() => count() === 1, { description: 'the failure' });
    loop.wake();
    await waitFor(() => count() === 2, { description: 'the next round' });
  });

  it('closes after the current round, and starts no other', async () => {
    let finish = () => {};
    const blocked = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let hasEnded = false;
    const { loop, count } = start(async () => {
      await blocked;
      hasEnded = true;
      return true;
    });
    const closing = loop.close();
    finish();
    await closing;
    expect([hasEnded, count()]).toEqual([true, 1]);
  });
});
