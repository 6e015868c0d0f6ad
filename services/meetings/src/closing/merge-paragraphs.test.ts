import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

const paragraph = fc.constantFrom('', 'Present', 'Budget', 'Next', 'Risks');
const text = fc.array(paragraph, { maxLength: 8 }).map((lines) => lines.join('\n'));

const edits = fc.array(fc.record({ at: fc.nat(10), does: fc.constantFrom('add', 'change', 'remove') }), {
  maxLength: 5,
});
type Edits = { at: number; does: string }[];

function edited(base: string, given: Edits, who: string): { text: string; words: string[] } {
  const lines = base === '' ? [] : base.split('\n');
  given.forEach(({ at, does }, index) => {
    const place = lines.length === 0 ? 0 : at % lines.length;
    const line = `${who}${index}`;
    if (does === 'add') lines.splice(place, 0, line);
    else if (does === 'change' && lines.length > 0) lines[place] = `${lines[place]} ${line}`;
    else lines.splice(place, 1);
  });
  const made = lines.join('\n');
  return { text: made, words: made.split(/\s/).filter((word) => word.startsWith(who)) };
}

const addedIn = (merged: string) =>
  merged
    .split(/\s/)
    .filter((word) => /^(theirs|yours)/.test(word))
    .sort();

describe('mergeParagraphs', () => {
  it('keeps every word added by either side', () => {
    fc.assert(
      fc.property(text, edits, edits, (base, first, second) => {
        const [theirs, yours] = [edited(base, first, 'theirs'), edited(base, second, 'yours')];
        const merged = mergeParagraphs({ base, theirs: theirs.text, yours: yours.text });
        const words = merged.text.split(/\s/);
        for (const word of [...theirs.words, ...yours.words]) expect(words).toContain(word);
      }),
      { numRuns: 3_000 },
    );
  });

  it('adds nothing when the same text is merged again, as in a retry', () => {
    const unlike = fc.uniqueArray(paragraph).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(unlike, edits, edits, (base, first, second) => {
        const [theirs, yours] = [edited(base, first, 'theirs').text, edited(base, second, 'yours').text];
        const merged = mergeParagraphs({ base, theirs, yours }).text;
        expect(addedIn(mergeParagraphs({ base, theirs: merged, yours }).text)).toEqual(addedIn(merged));
      }),
      { numRuns: 3_000 },
    );
  });

  it('takes changes of one side, and identical changes of both sides once', () => {
    fc.assert(
      fc.property(text, edits, (base, given) => {
        const { text: changed } = edited(base, given, 'mine');
        for (const texts of [
          { theirs: changed, yours: base },
          { theirs: base, yours: changed },
          { theirs: changed, yours: changed },
        ])
          expect(mergeParagraphs({ base, ...texts })).toEqual({ text: changed, both: [] });
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
      both: [],
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
        const isRepeat = `\n${theirs.join('\n')}\n`.includes(`\n${yours.join('\n')}\n`) || second?.length === 0;
        const wanted = [...(first ?? []), ...(isRepeat ? [] : (second ?? []))];
        expect(merged.text.split('\n').sort()).toEqual(wanted.length === 0 ? [''] : wanted.sort());
      }),
      { numRuns: 3_000 },
    );
  });

  it('deletes lines that one side deleted and the other left unchanged', () => {
    expect(mergeParagraphs({ base: 'a\nb\nc', theirs: 'a\nc', yours: 'a\nb\nc\nd' }).text).toBe('a\nc\nd');
  });

  it('merges changes of adjacent paragraphs', () => {
    expect(mergeParagraphs({ base: 'a\nb', theirs: 'A\nb', yours: 'a\nB' })).toEqual({ text: 'A\nB', both: [] });
  });

  it('keeps both versions of a paragraph that both sides changed, and reports it', () => {
    expect(mergeParagraphs({ base: 'a\nb\nc', theirs: 'a\nB\nc', yours: 'a\nbb\nc' })).toEqual({
      text: 'a\nB\nbb\nc',
      both: [{ theirs: 'B', yours: 'bb' }],
    });
  });
});
