import { describe, expect, it } from '@jest/globals';
import { createRecentLinkCache } from './download-links.ts';

const FILE = { documentId: 'a', fileNumber: 1 };

describe('createRecentLinkCache', () => {
  it('expires each link of a user and version after five minutes', () => {
    let now = 0;
    const cache = createRecentLinkCache(() => now);
    const addNew = (userId: string, ...files: (typeof FILE)[]) => {
      const newFiles = cache.filterNew(userId, files);
      cache.add(userId, newFiles);
      return newFiles;
    };
    expect(addNew('ann', FILE, { ...FILE, documentId: 'b' })).toHaveLength(2);
    now += 299_999;
    expect(addNew('ann', FILE)).toEqual([]);
    expect(addNew('ben', FILE)).toEqual([FILE]);
    expect(addNew('ann', { ...FILE, fileNumber: 2 })).toEqual([{ ...FILE, fileNumber: 2 }]);
    now += 1;
    expect(addNew('ann', FILE)).toEqual([FILE]);
  });
});
