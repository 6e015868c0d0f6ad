import { describe, expect, it } from '@jest/globals';
import { createListedLinks } from './listed-links.ts';

const FILE = { documentId: 'a', fileNumber: 1 };

describe('the links that lists give', () => {
  it('are new once in five minutes, for each person and each version', () => {
    let now = 0;
    const listed = createListedLinks(() => now);
    expect(listed.newOf('ann', [FILE, { ...FILE, documentId: 'b' }])).toHaveLength(2);
    now += 299_999;
    expect(listed.newOf('ann', [FILE])).toEqual([]);
    expect(listed.newOf('ben', [FILE])).toEqual([FILE]);
    expect(listed.newOf('ann', [{ ...FILE, fileNumber: 2 }])).toEqual([{ ...FILE, fileNumber: 2 }]);
    now += 1;
    expect(listed.newOf('ann', [FILE])).toEqual([FILE]);
  });
});
