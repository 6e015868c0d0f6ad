import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeParagraphs } from '../src/merge-paragraphs.ts';

const paragraph = fc.constantFrom('', 'Present', 'Budget', 'Next', 'Risks');
const text = fc.array(paragraph, { maxLength: 8 }).map((lines) => lines.join('\n'));

const edits = fc.array(fc.record({ at: fc.nat(10), does: fc.constantFrom('add', 'change', 'remove') }), {
  maxLength: 5,
});
type Edits = { at: number; does: string }[];

function applyEdits(base: string, changes: Edits, author: string): { text: string; words: string[] } {
  const lines = base === '' ? [] : base.split('\n');
  changes.forEach(({ at, does }, index) => {
    const position = lines.length === 0 ? 0 : at % lines.length;
    const line = `${author}${index}`;
    if (does === 'add') lines.splice(position, 0, line);
    else if (does === 'change' && lines.length > 0) lines[position] = `${lines[position]} ${line}`;
    else lines.splice(position, 1);
  });
  const editedText = lines.join('\n');
  return { text: editedText, words: editedText.split(/\s/).filter((word) => word.startsWith(author)) };
}

const findAddedWords = (merged: string) =>
  merged
    .split(/\s/)
    .filter((word) => /^(theirs|yours)/.test(word))
    .sort();

describe('mergeParagraphs', () => {
  it('keeps every word added by either side', () => {
    fc.assert(
      fc.property(text, edits, edits, (base, first, second) => {
        const theirs = applyEdits(base, first, 'theirs');
        const yours = applyEdits(base, second, 'yours');
        const merged = mergeParagraphs({ base, theirs: theirs.text, yours: yours.text });
        const words = merged.text.split(/\s/);
        for (const word of [...theirs.words, ...yours.words]) expect(words).toContain(word);
      }),
      { numRuns: 3_000 },
    );
  });

  it('adds nothing when the same text is merged again, as in a retry', () => {
    const uniqueLines = fc.uniqueArray(paragraph).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(uniqueLines, edits, edits, (base, first, second) => {
        const { text: theirs } = applyEdits(base, first, 'theirs');
        const { text: yours } = applyEdits(base, second, 'yours');
        const merged = mergeParagraphs({ base, theirs, yours }).text;
        expect(findAddedWords(mergeParagraphs({ base, theirs: merged, yours }).text)).toEqual(findAddedWords(merged));
      }),
      { numRuns: 3_000 },
    );
  });

  it('adopts changes of one side, and identical changes of both sides once', () => {
    fc.assert(
      fc.property(text, edits, (base, changes) => {
        const { text: changedText } = applyEdits(base, changes, 'mine');
        for (const texts of [
          { theirs: changedText, yours: base },
          { theirs: base, yours: changedText },
          { theirs: changedText, yours: changedText },
        ])
          expect(mergeParagraphs({ base, ...texts })).toEqual({ text: changedText, conflicts: [] });
      }),
    );
  });

  it('keeps lines that both sides wrote if the rest differs', () => {
    expect(mergeParagraphs({ base: 'x', theirs: 'Anna\nyes', yours: 'Bert\nyes' }).text).toBe('Anna\nyes\nBert\nyes');
    expect(mergeParagraphs({ base: '', theirs: 'yes', yours: 'Bert:\nyes' }).text).toBe('yes\nBert:\nyes');
    expect(mergeParagraphs({ base: 'x', theirs: 'yes\nx\nno', yours: 'no\nx\nyes' }).text).toBe('yes\nno\nx\nno\nyes');
    expect(mergeParagraphs({ base: '', theirs: 'a\nb\nc', yours: 'a\nc' }).text).toBe('a\nb\nc\na\nc');
  });

  it('omits text that the other side already contains in one piece, as in a retry', () => {
    expect(mergeParagraphs({ base: 'x', theirs: 'Anna\nyes\nBert\nyes', yours: 'Bert\nyes' })).toEqual({
      text: 'Anna\nyes\nBert\nyes',
      conflicts: [],
    });
  });

  it('keeps the number of equal lines of both sides, unless one contains the other in one piece', () => {
    const textLines = fc.array(fc.constantFrom('yes', 'no', '', 'Anna:'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(textLines, textLines, (theirs, yours) => {
        const merged = mergeParagraphs({ base: 'x', theirs: theirs.join('\n'), yours: yours.join('\n') });
        const [first, second] = [theirs, yours].map((lines) =>
          lines.join('') === '' && lines.length === 1 ? [] : lines,
        );
        const isContained = `\n${theirs.join('\n')}\n`.includes(`\n${yours.join('\n')}\n`) || second?.length === 0;
        const expectedLines = [...(first ?? []), ...(isContained ? [] : (second ?? []))];
        expect(merged.text.split('\n').sort()).toEqual(expectedLines.length === 0 ? [''] : expectedLines.sort());
      }),
      { numRuns: 3_000 },
    );
  });

  it('deletes lines that one side deleted and the other left unchanged', () => {
    expect(mergeParagraphs({ base: 'a\nb\nc', theirs: 'a\nc', yours: 'a\nb\nc\nd' }).text).toBe('a\nc\nd');
  });

  it('merges changes of adjacent paragraphs', () => {
    expect(mergeParagraphs({ base: 'a\nb', theirs: 'A\nb', yours: 'a\nB' })).toEqual({ text: 'A\nB', conflicts: [] });
  });

  it('keeps both versions of a paragraph that both sides changed, and reports it', () => {
    expect(mergeParagraphs({ base: 'a\nb\nc', theirs: 'a\nB\nc', yours: 'a\nbb\nc' })).toEqual({
      text: 'a\nB\nbb\nc',
      conflicts: [{ theirs: 'B', yours: 'bb' }],
    });
  });
});
