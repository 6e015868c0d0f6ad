import { describe, expect, it } from '@jest/globals';
import { createParticipationVersions, MAX_READ_ATTEMPTS } from './participation-versions.ts';

const ANN = `${'a'.repeat(23)}1`;
const BEN = `${'b'.repeat(23)}2`;
const CLEO = `${'c'.repeat(23)}3`;

describe('readCurrent', () => {
  it('applies what is current, and reads again only for users who joined or left during the read', async () => {
    const versions = createParticipationVersions();
    const reads: string[][] = [];
    const applied: string[][] = [];
    await versions.readCurrent(
      [ANN, BEN, CLEO],
      async (userIds) => {
        reads.push(userIds);
        if (reads.length === 1) versions.advance([BEN]);
      },
      (_result, userIds) => applied.push(userIds),
    );
    expect(reads).toEqual([[ANN, BEN, CLEO], [BEN]]);
    expect(applied).toEqual([[ANN, CLEO], [BEN]]);
  });

  it('rejects if a user keeps joining and leaving, after applying what was read for others', async () => {
    const versions = createParticipationVersions();
    let reads = 0;
    const applied: string[][] = [];
    const busy = versions.readCurrent(
      [ANN, BEN],
      async () => {
        reads += 1;
        versions.advance([ANN]);
      },
      (_result, userIds) => applied.push(userIds),
    );
    await expect(busy).rejects.toMatchObject({ code: 'unavailable' });
    expect(reads).toBe(MAX_READ_ATTEMPTS);
    expect(applied).toEqual([[BEN]]);
  });

  it('does not read without users', async () => {
    const versions = createParticipationVersions();
    const fail = () => Promise.reject(new Error('read'));
    await expect(versions.readCurrent([], fail, () => undefined)).resolves.toEqual([]);
  });
});
