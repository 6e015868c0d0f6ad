import { describe, expect, it } from '@jest/globals';
import { createMemory } from './remember.ts';

const asking = () => {
  const asked: number[] = [];
  return { asked, find: (generation: number) => async () => ({ generation, nth: asked.push(generation) }) };
};

describe('what was found out', () => {
  it('is found once for all who ask at the same moment and later', async () => {
    const remember = createMemory<{ generation: number; nth: number }>(10);
    const { asked, find } = asking();
    const answers = await Promise.all([remember('a', find(1)), remember('a', find(1))]);
    expect([...answers, await remember('a', find(1))].map(({ nth }) => nth)).toEqual([1, 1, 1]);
    expect(asked).toEqual([1]);
  });

  it('is found anew when it is older than what the caller has seen', async () => {
    const remember = createMemory<{ generation: number; nth: number }>(10);
    const { find } = asking();
    await remember('a', find(1));
    expect(await remember('a', find(2), 2)).toEqual({ generation: 2, nth: 2 });
    expect(await remember('a', find(3), 2)).toEqual({ generation: 2, nth: 2 });
  });

  it('is found anew when it is of a later world than the one that was restored', async () => {
    const remember = createMemory<{ generation: number; nth: number }>(10);
    const { find } = asking();
    await remember('a', find(9));
    expect(await remember('a', find(4), 4)).toEqual({ generation: 4, nth: 2 });
  });

  it('leaves the oldest first, and keeps no failure', async () => {
    const remember = createMemory<{ generation: number; nth: number }>(2);
    const { asked, find } = asking();
    for (const key of ['a', 'b', 'c']) await remember(key, find(1));
    await remember('b', find(1));
    await remember('a', find(1));
    expect(asked).toHaveLength(4);
    await expect(remember('d', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await remember('d', find(1))).toMatchObject({ generation: 1 });
  });
});
