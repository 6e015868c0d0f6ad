import { describe, expect, it } from '@jest/globals';
import { joinedFiles } from './merge-file-pages.ts';

/** '7a' is a file of the message with seq 7. */
const files = (...names: string[]) => names.map((name) => ({ _id: name, seq: Number.parseInt(name, 10) }));
const ids = (list: readonly { _id: string }[]) => list.map(({ _id }) => _id);

describe('the files of a conversation', () => {
  it('keep those that what is new has pushed off the first page', () => {
    expect(ids(joinedFiles(files('9a', '8a'), files('8a', '7a', '6a')))).toEqual(['9a', '8a', '7a', '6a']);
  });

  it('lose what the first page says is not there any more', () => {
    expect(ids(joinedFiles(files('9a', '6a'), files('9a', '8a', '7a', '6a', '5a')))).toEqual(['9a', '6a', '5a']);
    expect(joinedFiles([], files('9a'))).toEqual([]);
  });

  it('hold a message whole of which the first page has a part', () => {
    expect(ids(joinedFiles(files('9a', '8c'), files('9a', '8c', '8b', '8a')))).toEqual(['9a', '8c', '8b', '8a']);
  });
});
