import { waitFor } from '@atrium/test-kit/wait-for';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';
import { type Rounds, startRounds } from './rounds.ts';

const log = createLogger('test', 'silent');
const HOUR = 3_600_000;
const open: Rounds[] = [];
afterEach(() => Promise.all(open.splice(0).map((rounds) => rounds.close())));

function start(round: (nth: number) => Promise<boolean>) {
  let nth = 0;
  const rounds = startRounds({
    what: 'a test',
    everyMs: HOUR,
    log,
    round: () => {
      nth += 1;
      return round(nth);
    },
  });
  open.push(rounds);
  return { rounds, count: () => nth };
}

describe('work in rounds', () => {
  it('goes on at once as long as there may be more, then rests', async () => {
    const { count } = start(async (nth) => nth < 4);
    await waitFor(() => count() === 4, { what: 'four rounds' });
  });

  it('folds calls that come during a round into one more', async () => {
    let finish = () => {};
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { rounds, count } = start(async (nth) => {
      if (nth === 1) await first;
      return false;
    });
    for (let n = 0; n < 5; n += 1) rounds.wake();
    finish();
    await waitFor(() => count() === 2, { what: 'the folded round' });
    rounds.wake();
    await waitFor(() => count() === 3, { what: 'a round of its own' });
  });

  it('outlives a round that fails', async () => {
    const { rounds, count } = start(async (nth) => {
      if (nth === 1) throw new Error('no');
      return false;
    });
    await waitFor(() => count() === 1, { what: 'the failure' });
    rounds.wake();
    await waitFor(() => count() === 2, { what: 'the next round' });
  });

  it('closes after the round that is under way, and begins no other', async () => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let ended = false;
    const { rounds, count } = start(async () => {
      await held;
      ended = true;
      return true;
    });
    const closing = rounds.close();
    finish();
    await closing;
    expect([ended, count()]).toEqual([true, 1]);
  });
});
