import { describe, expect, it } from '@jest/globals';
import { refusalOf } from './upload-limits.ts';

const MB = 1024 * 1024;
const limits = { maxFileBytes: 512 * MB, usedBytes: 0, quotaBytes: 1024 * MB, availableBytes: 3 * MB };

describe('the limits of an upload', () => {
  it('refuse a file that the server would, in its words', () => {
    expect(refusalOf(513 * MB, limits)).toBe('The file is larger than 512 MB');
    expect(refusalOf(4 * MB, limits)).toBe(
      'There is room for 3 MB more, and this file is larger. Delete documents that you no longer need, also from the bin, or ask an administrator for more.',
    );
  });

  it('let through what has room, and anything up to the limit where there is no quota', () => {
    expect(refusalOf(3 * MB, limits)).toBeUndefined();
    expect(refusalOf(512 * MB, { ...limits, availableBytes: null })).toBeUndefined();
  });
});
