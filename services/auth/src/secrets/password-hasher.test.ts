import { describe, expect, it } from '@jest/globals';
import { createPasswordHasher } from './password-hasher.ts';

const stranger = (address = '198.51.100.1') => ({ address, isKnown: false });
const knownDevice = (address = '198.51.100.1') => ({ address, isKnown: true });
const repeat = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => create(index));

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

  it('hashes for accounts without a password as well, and returns false', async () => {
    const single = createPasswordHasher({ concurrency: 1, maxWaiting: 0 });
    const first = single.matches('any password', undefined, stranger());
    await expect(single.matches('any password', null, stranger())).rejects.toMatchObject({ code: 'unavailable' });
    expect(await first).toBe(false);
    expect(await single.matches('any password', null, stranger())).toBe(false);
  });

  it('rejects requests beyond the queue limit', async () => {
    const smallHasher = createPasswordHasher({ concurrency: 2, maxWaiting: 3 });
    const results = await Promise.allSettled(repeat(8, () => smallHasher.matches('any password', null, stranger())));
    expect(results.map(({ status }) => status)).toEqual([
      ...Array<string>(5).fill('fulfilled'),
      ...Array<string>(3).fill('rejected'),
    ]);
  });

  it('serves a new network before a crowded one, even if the crowd uses seven addresses', async () => {
    const smallHasher = createPasswordHasher({ concurrency: 1, maxWaiting: 20 });
    const finished: string[] = [];
    const crowd = repeat(70, async (n) => {
      await smallHasher.matches('any password', null, stranger(`203.0.113.${n % 7}`)).catch(() => undefined);
      finished.push('crowd');
    });
    const newcomer = smallHasher
      .matches('any password', null, stranger('192.0.2.1'))
      .then(() => finished.push('newcomer'));
    await newcomer;
    // Shed requests finish first. Of the twenty requests waiting, at most one per address precedes the newcomer.
    expect(finished.indexOf('newcomer')).toBeLessThanOrEqual(50 + 1 + 7);
    await Promise.all(crowd);
  });

  it('treats an IPv6 /48 as one network', async () => {
    const smallHasher = createPasswordHasher({ concurrency: 1, maxWaiting: 10 });
    const crowd = repeat(30, (n) =>
      smallHasher.matches('any password', null, stranger(`2001:db8:1:${(n * 256).toString(16)}::1`)),
    );
    const results = Promise.allSettled(crowd);
    const others = repeat(5, (n) => smallHasher.matches('any password', null, stranger(`2001:db8:2:${n}::1`)));
    expect(await Promise.all(others)).toEqual(Array(5).fill(false));
    expect((await results).filter(({ status }) => status === 'rejected').length).toBe(24);
  });

  it('reserves capacity for known devices at any address', async () => {
    const smallHasher = createPasswordHasher({ concurrency: 1, maxWaiting: 20, maxWaitingKnown: 5 });
    const finished: string[] = [];
    const strangers = repeat(21, async (n) => {
      await smallHasher.matches('any password', null, stranger(`203.0.113.${n}`));
      finished.push('stranger');
    });
    await Promise.all(
      repeat(5, () => smallHasher.matches('any password', null, knownDevice()).then(() => finished.push('known'))),
    );
    expect(finished.filter((kind) => kind === 'stranger').length).toBeLessThanOrEqual(6);
    await Promise.all(strangers);
  });
});
