import { describe, expect, it } from '@jest/globals';
import { createRecentLinkCache } from './download-links.ts';

const FILE = { documentId: 'a', fileNumber: 1 };

describe('a recent link cache', () => {
  it('forgets links after five minutes, per user and version', () => {
    let now = 0;
    const listed = createRecentLinkCache(() => now);
    const give = (userId: string, ...files: (typeof FILE)[]) => {
      const fresh = listed.filterNew(userId, files);
      listed.add(userId, fresh);
      return fresh;
    };
    expect(give('ann', FILE, { ...FILE, documentId: 'b' })).toHaveLength(2);
    now += 299_999;
    expect(give('ann', FILE)).toEqual([]);
    expect(give('ben', FILE)).toEqual([FILE]);
    expect(give('ann', { ...FILE, fileNumber: 2 })).toEqual([{ ...FILE, fileNumber: 2 }]);
    now += 1;
    expect(give('ann', FILE)).toEqual([FILE]);
  });
});
