import { describe, expect, it } from '@jest/globals';
import { createPasswordHasher } from './password-hasher.ts';

describe('the password hasher', () => {
  const hasher = createPasswordHasher();

  it('makes Argon2id hashes of the agreed cost that only the password matches', async () => {
    const hash = await hasher.hash('Correct#Horse1');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.matches('Correct#Horse1', hash)).toBe(true);
    expect(await hasher.matches('Correct#Horse2', hash)).toBe(false);
  });

  it('knows a letter in both its spellings', async () => {
    const hash = await hasher.hash('Caf\u00e9#Horse1');
    expect(await hasher.matches('Cafe\u0301#Horse1', hash)).toBe(true);
  });

  it('spends a turn on somebody who has no password, and says no', async () => {
    const single = createPasswordHasher({ atOnce: 1, waiting: 0 });
    const first = single.matches('whatever', undefined);
    await expect(single.matches('whatever', null)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await first).toBe(false);
    expect(await single.matches('whatever', null)).toBe(false);
  });

  it('lets a bounded number wait and refuses those beyond', async () => {
    const small = createPasswordHasher({ atOnce: 2, waiting: 3 });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => small.matches('whatever', null)));
    expect(results.map(({ status }) => status)).toEqual([
      ...Array<string>(5).fill('fulfilled'),
      ...Array<string>(3).fill('rejected'),
    ]);
  });
});
