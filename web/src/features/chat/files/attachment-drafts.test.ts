import { beforeEach, describe, expect, it } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { chooseFiles, dropFile, recordImageSize, returnFiles, takeFiles, useChosenFiles } from './attachment-drafts.ts';

const ONE = 'c'.repeat(24);
const OTHER = 'd'.repeat(24);
const files = (...names: string[]) => names.map((name) => new File([name], name));
const chosen = (conversation: string) => {
  const { result, unmount } = renderHook(() => useChosenFiles(conversation));
  unmount();
  return result.current;
};
const names = (conversation: string) => chosen(conversation).map(({ file }) => file.name);

beforeEach(() => {
  // Switching users clears the state of the previous test.
  signInAs(buildUser('b'));
  signInAs(buildUser('a'));
});

describe('attachment drafts', () => {
  it('keeps files with their conversation until they are removed', () => {
    chooseFiles(ONE, files('one', 'two'));
    chooseFiles(OTHER, files('three'));
    chooseFiles(ONE, files('four'));
    expect(names(ONE)).toEqual(['one', 'two', 'four']);
    expect(names(OTHER)).toEqual(['three']);
    dropFile(ONE, chosen(ONE)[1]?.id ?? '');
    expect(names(ONE)).toEqual(['one', 'four']);
  });

  it('stores the size of an image once it is displayed', () => {
    chooseFiles(ONE, files('one'));
    recordImageSize(ONE, chosen(ONE)[0]?.id ?? '', { width: 3, height: 2 });
    expect(chosen(ONE)).toMatchObject([{ width: 3, height: 2 }]);
  });

  it('keeps files for the user who selected them', () => {
    chooseFiles(ONE, files('one'));
    signInAs(buildUser('b'));
    expect(names(ONE)).toEqual([]);
    signInAs(buildUser('a'));
    expect(names(ONE)).toEqual([]);
  });

  it('resends unchanged files and text with the same id', () => {
    chooseFiles(ONE, files('one', 'two'));
    const sentFiles = takeFiles(ONE, 'words');
    expect(names(ONE)).toEqual([]);
    returnFiles(ONE, sentFiles);
    const resent = takeFiles(ONE, 'words');
    expect(resent).toEqual(sentFiles);
    returnFiles(ONE, resent);
    dropFile(ONE, chosen(ONE)[0]?.id ?? '');
    expect(takeFiles(ONE, 'words').clientMessageId).not.toBe(sentFiles.clientMessageId);
    returnFiles(ONE, sentFiles);
    expect(takeFiles(ONE, 'other words').clientMessageId).not.toBe(sentFiles.clientMessageId);
  });

  it('puts returned files before those selected since', () => {
    chooseFiles(ONE, files('one'));
    const sentFiles = takeFiles(ONE, '');
    chooseFiles(ONE, files('two'));
    returnFiles(ONE, sentFiles);
    expect(names(ONE)).toEqual(['one', 'two']);
  });
});
