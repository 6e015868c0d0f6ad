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
    const server = { available, requests: 0, now: 0, state: {} };
    const checkQuota = createBatchQuotaCheck(
      () => server.state,
      async () => {
        server.requests += 1;
        return { ...limits, availableBytes: server.available };
      },
      () => server.now,
    );
    return { server, checkQuota };
  };

  it('reuses the fetched limits until they are used up or expire', async () => {
    const { server, checkQuota } = fixture(10 * MB);
    for (const size of [4 * MB, 3 * MB, 3 * MB]) await checkQuota({ size });
    expect(server.requests).toBe(1);
    await checkQuota({ size: MB });
    expect(server.requests).toBe(2);
    server.now = 10_000;
    await checkQuota({ size: MB });
    expect(server.requests).toBe(3);
  });

  it('refetches the limits before it rejects a file', async () => {
    const { server, checkQuota } = fixture(2 * MB);
    await checkQuota({ size: MB });
    await expect(checkQuota({ size: 3 * MB })).rejects.toThrow('You have 2 MB left');
    expect(server.requests).toBe(2);
  });

  it('accepts any number of files without a quota', async () => {
    const { server, checkQuota } = fixture(null);
    for (let file = 0; file < 100; file += 1) await checkQuota({ size: 500 * MB });
    expect(server.requests).toBe(1);
  });
});
