import { describe, expect, it } from '@jest/globals';
import { createBatchQuotaCheck, getUploadError } from './upload-limits.ts';

const MB = 1024 * 1024;
const limits = { maxFileBytes: 512 * MB, usedBytes: 0, quotaBytes: 1024 * MB, availableBytes: 3 * MB };

describe('upload limits', () => {
  it('rejects a file that the server would reject, with the same message', () => {
    expect(getUploadError(513 * MB, limits)).toBe('The file is larger than 512 MB');
    expect(getUploadError(4 * MB, limits)).toBe(
      'You have 3 MB left, and this file is larger. Delete documents you no longer need, including those in the trash, or ask an administrator for more space.',
    );
  });

  it('accepts a file within the limits, and any size up to the limit without a quota', () => {
    expect(getUploadError(3 * MB, limits)).toBeUndefined();
    expect(getUploadError(512 * MB, { ...limits, availableBytes: null })).toBeUndefined();
  });
});

describe('quota check for many files', () => {
  const fixture = (available: number | null) => {
    const there = { available, requests: 0, now: 0, state: {} };
    const require = createBatchQuotaCheck(
      () => there.state,
      async () => {
        there.requests += 1;
        return { ...limits, availableBytes: there.available };
      },
      () => there.now,
    );
    return { there, require };
  };

  it('reuses the fetched limits until they are used up or expire', async () => {
    const { there, require } = fixture(10 * MB);
    for (const size of [4 * MB, 3 * MB, 3 * MB]) await require({ size });
    expect(there.requests).toBe(1);
    await require({ size: MB });
    expect(there.requests).toBe(2);
    there.now = 10_000;
    await require({ size: MB });
    expect(there.requests).toBe(3);
  });

  it('rejects only on freshly fetched limits, and checks a single file alone', async () => {
    const { there, require } = fixture(2 * MB);
    await require({ size: MB });
    await expect(require({ size: 3 * MB })).rejects.toThrow('You have 2 MB left');
    expect(there.requests).toBe(2);
  });

  it('accepts any number of files without a quota', async () => {
    const { there, require } = fixture(null);
    for (let file = 0; file < 100; file += 1) await require({ size: 500 * MB });
    expect(there.requests).toBe(1);
  });
});
