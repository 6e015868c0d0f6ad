import { describe, expect, it } from '@jest/globals';
import { findDifferences } from './views.ts';

const VIEW = 'maya /documents';
const buildFile = (given: object) => ({ _id: 'd1', name: 'Plan', text: 'done', version: 3, ...given });
const between = (before: object, after: object) =>
  findDifferences({ [VIEW]: [buildFile(before)] }, { [VIEW]: [buildFile(after)] }, { others: true });

describe('findDifferences', () => {
  it.each(['done', 'none', 'failed'])('ignores that a pending text extraction is now %s', (text) => {
    expect(between({ text: 'pending' }, { text })).toEqual([]);
  });

  it.each(['done', 'none', 'failed'])('reports that a text extraction changed from %s to pending', (text) => {
    expect(between({ text }, { text: 'pending' })).toEqual([`${VIEW}[0].text: "${text}" before, "pending" now`]);
  });

  it('reports a changed or removed text extraction state', () => {
    expect(between({ text: 'done' }, { text: 'failed' })).toHaveLength(1);
    expect(between({ text: 'pending' }, { text: undefined })).toHaveLength(1);
  });

  it('reports other changes of the same file', () => {
    expect(between({ text: 'pending' }, { name: 'Plans' })).toEqual([`${VIEW}[0].name: "Plan" before, "Plans" now`]);
    expect(between({ text: 'pending' }, { version: 4 })).toEqual([`${VIEW}[0].version: 3 before, 4 now`]);
  });

  it('reports changed texts of other resources than documents', () => {
    const views = (text: string) => ({ 'maya messages of c1': [{ _id: 'm1', text, files: [{ text }] }] });
    expect(findDifferences(views('pending'), views('done'))).toHaveLength(2);
    const nested = (text: string) => ({ [VIEW]: [{ _id: 'd1', part: { text } }] });
    expect(findDifferences(nested('pending'), nested('done'))).toHaveLength(1);
  });
});
