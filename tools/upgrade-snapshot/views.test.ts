import { describe, expect, it } from '@jest/globals';
import { findDifferences } from './views.ts';

const VIEW = 'maya /documents';
const buildFile = (overrides: object) => ({ _id: 'd1', name: 'Plan', text: 'done', version: 3, ...overrides });
const findFileDifferences = (before: object, after: object) =>
  findDifferences({ [VIEW]: [buildFile(before)] }, { [VIEW]: [buildFile(after)] }, { allowsOtherChanges: true });

describe('findDifferences', () => {
  it.each(['done', 'none', 'failed'])('ignores a text extraction that changed from pending to %s', (text) => {
    expect(findFileDifferences({ text: 'pending' }, { text })).toEqual([]);
  });

  it.each(['done', 'none', 'failed'])('reports a text extraction that changed from %s to pending', (text) => {
    expect(findFileDifferences({ text }, { text: 'pending' })).toEqual([
      `${VIEW}[0].text: "${text}" before, "pending" now`,
    ]);
  });

  it('reports a changed or removed text extraction state', () => {
    expect(findFileDifferences({ text: 'done' }, { text: 'failed' })).toHaveLength(1);
    expect(findFileDifferences({ text: 'pending' }, { text: undefined })).toHaveLength(1);
  });

  it('reports other changes of a document whose text extraction ended', () => {
    expect(findFileDifferences({ text: 'pending' }, { name: 'Plans' })).toEqual([
      `${VIEW}[0].name: "Plan" before, "Plans" now`,
    ]);
    expect(findFileDifferences({ text: 'pending' }, { version: 4 })).toEqual([`${VIEW}[0].version: 3 before, 4 now`]);
  });

  it('reports changed `text` fields of resources other than documents', () => {
    const views = (text: string) => ({ 'maya messages of c1': [{ _id: 'm1', text, files: [{ text }] }] });
    expect(findDifferences(views('pending'), views('done'))).toHaveLength(2);
    const nested = (text: string) => ({ [VIEW]: [{ _id: 'd1', part: { text } }] });
    expect(findDifferences(nested('pending'), nested('done'))).toHaveLength(1);
  });
});
