import { describe, expect, it } from '@jest/globals';
import { findDifferences } from './views.ts';

const VIEW = 'maya /documents';
const aFile = (given: object) => ({ _id: 'd1', name: 'Plan', text: 'done', version: 3, ...given });
const between = (before: object, after: object) =>
  findDifferences({ [VIEW]: [aFile(before)] }, { [VIEW]: [aFile(after)] }, { others: true });

describe('what somebody sees later', () => {
  it.each(['done', 'none', 'failed'])('is the same where a text that waited is %s since', (text) => {
    expect(between({ text: 'pending' }, { text })).toEqual([]);
  });

  it.each(['done', 'none', 'failed'])('is not where a text that was %s waits again', (text) => {
    expect(between({ text }, { text: 'pending' })).toEqual([`${VIEW}[0].text: "${text}" before, "pending" now`]);
  });

  it('is not where what was read reads otherwise, or is said no more', () => {
    expect(between({ text: 'done' }, { text: 'failed' })).toHaveLength(1);
    expect(between({ text: 'pending' }, { text: undefined })).toHaveLength(1);
  });

  it('is not where anything else of the same file differs', () => {
    expect(between({ text: 'pending' }, { name: 'Plans' })).toEqual([`${VIEW}[0].name: "Plan" before, "Plans" now`]);
    expect(between({ text: 'pending' }, { version: 4 })).toEqual([`${VIEW}[0].version: 3 before, 4 now`]);
  });

  it('is not where something else than a document has such a text', () => {
    const views = (text: string) => ({ 'maya messages of c1': [{ _id: 'm1', text, files: [{ text }] }] });
    expect(findDifferences(views('pending'), views('done'))).toHaveLength(2);
    const nested = (text: string) => ({ [VIEW]: [{ _id: 'd1', piece: { text } }] });
    expect(findDifferences(nested('pending'), nested('done'))).toHaveLength(1);
  });
});
