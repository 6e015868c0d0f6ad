import { describe, expect, it } from '@jest/globals';
import { hasErrors, validateAttachments } from './attachment-drafts.ts';

const MB = 1024 * 1024;
const limits = { maxFiles: 10, maxFileBytes: 2 * MB, usedBytes: 0, quotaBytes: null, availableBytes: null };
const chosen = (...sizes: number[]) =>
  sizes.map((bytes, index) => ({ id: String(index), file: new File([new Uint8Array(bytes)], `${index}.bin`) }));

describe('attachment validation', () => {
  it("rejects single files with the server's messages", () => {
    const errors = validateAttachments(chosen(0, 2 * MB, 2 * MB + 1), limits);
    expect([...errors.files]).toEqual([
      ['0', 'The file is empty'],
      ['2', 'The file is larger than 2 MB'],
    ]);
    expect(hasErrors(errors)).toBe(true);
  });

  it('rejects too many files, or files that exceed the quota together', () => {
    expect(validateAttachments(chosen(...Array<number>(11).fill(1)), limits).overall).toBe(
      'A message can have at most 10 files',
    );
    expect(validateAttachments(chosen(MB, MB), { ...limits, availableBytes: MB }).overall).toBe(
      'You have 1 MB left, and these files are larger. Delete messages with files you no longer need, or ask an administrator for more space.',
    );
  });

  it("checks only fixed limits until the server's limits are loaded", () => {
    expect(hasErrors(validateAttachments(chosen(5 * MB), undefined))).toBe(false);
    expect(hasErrors(validateAttachments(chosen(...Array<number>(11).fill(1)), undefined))).toBe(true);
    expect(hasErrors(validateAttachments([], limits))).toBe(false);
  });
});
