import { describe, expect, it } from '@jest/globals';
import { mergeFilePages } from './use-older-pages.ts';

/** Builds files by name: '7a' is a file of the message with the id 7, which was sent in second 7. */
const files = (...names: string[]) =>
  names.map((name) => {
    const message = String(Number.parseInt(name, 10));
    return { _id: name, message, createdAt: new Date(Number(message) * 1_000).toISOString() };
  });
const ids = (list: readonly { _id: string }[]) => list.map(({ _id }) => _id);

describe('mergeFilePages', () => {
  it('keeps files that newer ones pushed off the first page', () => {
    expect(ids(mergeFilePages(files('9a', '8a'), files('8a', '7a', '6a')))).toEqual(['9a', '8a', '7a', '6a']);
  });

  it('drops files that the first page no longer contains', () => {
    expect(ids(mergeFilePages(files('9a', '6a'), files('9a', '8a', '7a', '6a', '5a')))).toEqual(['9a', '6a', '5a']);
    expect(mergeFilePages([], files('9a'))).toEqual([]);
  });

  it('keeps a message whole if the first page has only part of it', () => {
    expect(ids(mergeFilePages(files('9a', '8c'), files('9a', '8c', '8b', '8a')))).toEqual(['9a', '8c', '8b', '8a']);
  });
});
