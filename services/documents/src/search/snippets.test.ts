import { describe, expect, it } from '@jest/globals';
import { makeSnippet } from './snippets.ts';

const COMPLETE = { hasTextBefore: false, hasTextAfter: false };
const markText = (text: string, search: string, cut = COMPLETE) => {
  const snippet = makeSnippet({ text, ...cut }, search);
  const pieces = snippet.marks
    .toReversed()
    .reduce(
      (line, { start, end }) => `${line.slice(0, start)}[${line.slice(start, end)}]${line.slice(end)}`,
      snippet.text,
    );
  return pieces;
};

describe('a search snippet', () => {
  it('marks words that start with the search terms, at any position', () => {
    expect(markText('The Résumé, resumed; presume', 'resum')).toBe('The [Résum]é, [resum]ed; presume');
    expect(markText('會議 in Straße 5', 'strasse 會')).toBe('[會]議 in [Straße] 5');
    expect(markText('one onerous', 'one onerous')).toBe('[one] [onerous]');
  });

  it('is one line of whole words and shows whether text precedes or follows', () => {
    const cut = { hasTextBefore: true, hasTextAfter: true };
    expect(markText('alf a word\n\tand <b>the</b> other ha', 'the', cut)).toBe('… a word and <b>[the]</b> other …');
  });

  it('has marks in UTF-16 units, even after surrogate pairs', () => {
    expect(markText('👍👍 sought 𝒳', 'sought')).toBe('👍👍 [sought] 𝒳');
  });

  it('marks whole joined emoji, and nothing without a match', () => {
    expect(markText('ship it 👩‍💻 now, a b', '👩‍💻')).toBe('ship it [👩‍💻] now, a b');
    expect(markText('100 % of €5, 👍🏽', '👍 % €')).toBe('100 [%] of [€]5, [👍🏽]');
    expect(markText('a b c', '\u200d')).toBe('a b c');
  });

  it('marks letters with combining vowel signs in either normalization', () => {
    expect(markText('यह किताब है', 'कि')).toBe('यह [कि]ताब है');
    expect(markText('അവൻ വന്നു', 'അവന്\u200d')).toBe('[അവൻ] വന്നു');
    expect(markText('회의록', '회')).toBe('[회]의록');
  });
});
