import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../observability/logger.ts';
import { type PollingLoop, startPollingLoop } from './polling-loop.ts';

const log = createLogger('test', 'silent');
const HOUR = 3_600_000;
const open: PollingLoop[] = [];
afterEach(() => Promise.all(open.splice(0).map((loop) => loop.close())));

function start(round: (nth: number) => Promise<boolean>) {
  let nth = 0;
  const loop = startPollingLoop({
    what: 'test',
    intervalMs: HOUR,
    log,
    round: () => {
      nth += 1;
      return round(nth);
    },
  });
  open.push(loop);
  return { loop, count: () => nth };
}

describe('startPollingLoop', () => {
  it('continues immediately while there may be more work, then rests', async () => {
    const { count } = start(async (nth) => nth < 4);
    await waitFor(() => count() === 4, { what: 'four rounds' });
  });

  it('coalesces wakes during a round into one more round', async () => {
    let finish = () => {};
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { loop, count } = start(async (nth) => {
      if (nth === 1) await first;
      return false;
    });
    for (let n = 0; n < 5; n += 1) loop.wake();
    finish();
    await waitFor(() => count() === 2, { what: 'the folded round' });
    loop.wake();
    await waitFor(() => count() === 3, { what: 'a separate round' });
  });

  it('continues after a failed round', async () => {
    const { loop, count } = start(async (nth) => {
      if (nth === 1) throw new Error('no');
      return false;
    });
    await waitFor(() => count() === 1, { what: 'the failure' });
    loop.wake();
    await waitFor(() => count() === 2, { what: 'the next round' });
  });

  it('closes after the current round and starts no other', async () => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let ended = false;
    const { loop, count } = start(async () => {
      await held;
      ended = true;
      return true;
    });
    const closing = loop.close();
    finish();
    await closing;
    expect([ended, count()]).toEqual([true, 1]);
  });
});
