import { describe, expect, it } from '@jest/globals';
import { createPasswordHasher } from './password-hasher.ts';

const stranger = (address = '198.51.100.1') => ({ address, isKnown: false });
const known = (address = '198.51.100.1') => ({ address, isKnown: true });
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

describe('the password hasher', () => {
  const hasher = createPasswordHasher();

  it('creates Argon2id hashes of the configured cost that match only their password', async () => {
    const hash = await hasher.hash('Correct#Horse1', stranger());
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.matches('Correct#Horse1', hash, stranger())).toBe(true);
    expect(await hasher.matches('Correct#Horse2', hash, stranger())).toBe(false);
  });

  it('matches composed and decomposed forms of the same letter', async () => {
    const hash = await hasher.hash('Caf\u00e9#Horse1', stranger());
    expect(await hasher.matches('Cafe\u0301#Horse1', hash, stranger())).toBe(true);
  });

  it('hashes for accounts without a password too, and returns false', async () => {
    const single = createPasswordHasher({ concurrency: 1, maxWaiting: 0 });
    const first = single.matches('whatever', undefined, stranger());
    await expect(single.matches('whatever', null, stranger())).rejects.toMatchObject({ code: 'unavailable' });
    expect(await first).toBe(false);
    expect(await single.matches('whatever', null, stranger())).toBe(false);
  });

  it('rejects requests beyond the queue limit', async () => {
    const small = createPasswordHasher({ concurrency: 2, maxWaiting: 3 });
    const results = await Promise.allSettled(times(8, () => small.matches('whatever', null, stranger())));
    expect(results.map(({ status }) => status)).toEqual([
      ...Array<string>(5).fill('fulfilled'),
      ...Array<string>(3).fill('rejected'),
    ]);
  });

  it('serves a new network before a crowded one, and sheds the crowd even across seven addresses', async () => {
    const small = createPasswordHasher({ concurrency: 1, maxWaiting: 20 });
    const done: string[] = [];
    const crowd = times(70, async (n) => {
      await small.matches('whatever', null, stranger(`203.0.113.${n % 7}`)).catch(() => undefined);
      done.push('crowd');
    });
    const newcomer = small.matches('whatever', null, stranger('192.0.2.1')).then(() => done.push('newcomer'));
    await newcomer;
    // Shed requests finish first; of the twenty waiting ones at most one per address precedes the newcomer.
    expect(done.indexOf('newcomer')).toBeLessThanOrEqual(50 + 1 + 7);
    await Promise.all(crowd);
  });

  it('treats an IPv6 /48 as one network', async () => {
    const small = createPasswordHasher({ concurrency: 1, maxWaiting: 10 });
    const crowd = times(30, (n) =>
      small.matches('whatever', null, stranger(`2001:db8:1:${(n * 256).toString(16)}::1`)),
    );
    const results = Promise.allSettled(crowd);
    const others = times(5, (n) => small.matches('whatever', null, stranger(`2001:db8:2:${n}::1`)));
    expect(await Promise.all(others)).toEqual(Array(5).fill(false));
    expect((await results).filter(({ status }) => status === 'rejected').length).toBe(24);
  });

  it('reserves capacity for known devices at any address', async () => {
    const small = createPasswordHasher({ concurrency: 1, maxWaiting: 20, maxWaitingKnown: 5 });
    const done: string[] = [];
    const strangers = times(21, async (n) => {
      await small.matches('whatever', null, stranger(`203.0.113.${n}`));
      done.push('stranger');
    });
    await Promise.all(times(5, () => small.matches('whatever', null, known()).then(() => done.push('known'))));
    expect(done.filter((who) => who === 'stranger').length).toBeLessThanOrEqual(6);
    await Promise.all(strangers);
  });
});
