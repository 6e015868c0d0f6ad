import { describe, expect, it } from '@jest/globals';
import { createMembershipStamps, MOST_READS } from './membership-versions.ts';

const ANN = `${'a'.repeat(23)}1`;
const BEN = `${'b'.repeat(23)}2`;
const CLEO = `${'c'.repeat(23)}3`;

describe('what was read of memberships', () => {
  it('is used for whoever it still holds, and read again for those alone whose rooms changed meanwhile', async () => {
    const stamps = createMembershipStamps();
    const reads: string[][] = [];
    const used: string[][] = [];
    await stamps.whenCurrent(
      [ANN, BEN, CLEO],
      async (some) => {
        reads.push(some);
        if (reads.length === 1) stamps.advance([BEN]);
      },
      (_answer, some) => used.push(some),
    );
    expect(reads).toEqual([[ANN, BEN, CLEO], [BEN]]);
    expect(used).toEqual([[ANN, CLEO], [BEN]]);
  });

  it('is given up where somebody’s rooms change all the time; the others have theirs', async () => {
    const stamps = createMembershipStamps();
    let reads = 0;
    const used: string[][] = [];
    const busy = stamps.whenCurrent(
      [ANN, BEN],
      async () => {
        reads += 1;
        stamps.advance([ANN]);
      },
      (_answer, some) => used.push(some),
    );
    await expect(busy).rejects.toMatchObject({ code: 'unavailable' });
    expect(reads).toBe(MOST_READS);
    expect(used).toEqual([[BEN]]);
  });

  it('is not asked for where nobody is meant', async () => {
    const stamps = createMembershipStamps();
    const fail = () => Promise.reject(new Error('read'));
    await expect(stamps.whenCurrent([], fail, () => undefined)).resolves.toEqual([]);
  });
});
