import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSeqOrder } from './seq-order.ts';

/** Sends whose answers come when the test says so. */
function anOrder() {
  const order = createSeqOrder();
  const told: number[] = [];
  const begin = (conversation = 'c') => {
    const { promise, resolve, reject } = Promise.withResolvers<{ seq: number; repeated: boolean } | undefined>();
    const done = order.send(
      conversation,
      () => promise,
      ({ seq }) => told.push(seq),
    );
    done.catch(() => undefined);
    return {
      done,
      answer: (seq: number, repeated = false) => resolve({ seq, repeated }),
      nothing: () => resolve(undefined),
      fail: () => reject(new Error('refused')),
    };
  };
  return { begin, told };
}

/** What was answered so far has been taken notice of. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what is sent in one conversation', () => {
  it('is told in the order of its seqs, whichever answer comes first', async () => {
    const { begin, told } = anOrder();
    const [one, two, three] = [begin(), begin(), begin()];
    three.answer(9);
    two.answer(8);
    one.answer(7);
    await Promise.all([one.done, two.done, three.done]);
    expect(told).toEqual([7, 8, 9]);
  });

  it('waits for nobody who began later, for no other conversation, and not for the next of those that were told', async () => {
    const { begin, told } = anOrder();
    begin('another');
    const first = begin();
    first.answer(5);
    await first.done;
    const [slow, second] = [begin(), begin()];
    second.answer(7);
    await settled();
    const later = begin();
    slow.answer(6);
    await Promise.all([slow.done, second.done]);
    expect(told).toEqual([5, 6, 7]);
    const last = begin();
    last.answer(8);
    await last.done;
    expect(told).toEqual([5, 6, 7, 8]);
    later.nothing();
  });

  it('waits no longer for what failed, was refused, or was there already', async () => {
    const { begin, told } = anOrder();
    const [failed, refused, repeated, sent] = [begin(), begin(), begin(), begin()];
    sent.answer(3);
    failed.fail();
    refused.nothing();
    repeated.answer(1, true);
    await expect(failed.done).rejects.toThrow('refused');
    await expect(refused.done).resolves.toBeUndefined();
    await expect(repeated.done).resolves.toEqual({ seq: 1, repeated: true });
    await sent.done;
    expect(told).toEqual([3]);
  });

  it('leaves in order for any interleaving of sends on this pod and on others', async () => {
    const step = fc.oneof(
      fc.constant({ do: 'begin' as const }),
      fc.record({ do: fc.constant('commit' as const), pick: fc.nat() }),
      fc.constant({ do: 'elsewhere' as const }),
      fc.record({ do: fc.constant('answer' as const), pick: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { begin, told } = anOrder();
        const begun: ReturnType<typeof begin>[] = [];
        const committed: { send: ReturnType<typeof begin>; seq: number }[] = [];
        const all: Promise<unknown>[] = [];
        let seq = 0;
        const take = <T>(from: T[], pick: number) => from.splice(pick % Math.max(from.length, 1), 1)[0];
        const commit = (pick: number) => {
          const send = take(begun, pick);
          if (send) committed.push({ send, seq: ++seq });
        };
        const answer = (pick: number) => {
          const one = take(committed, pick);
          one?.send.answer(one.seq);
        };
        for (const one of steps) {
          if (one.do === 'begin') {
            const send = begin();
            begun.push(send);
            all.push(send.done);
          } else if (one.do === 'commit') commit(one.pick);
          else if (one.do === 'elsewhere') seq += 1;
          else answer(one.pick);
          await Promise.resolve();
        }
        while (begun.length > 0) commit(0);
        while (committed.length > 0) answer(committed.length - 1);
        await Promise.all(all);
        expect(told).toEqual(told.toSorted((a, b) => a - b));
        expect(told).toHaveLength(all.length);
      }),
    );
  });
});
