import { describe, expect, it } from '@jest/globals';
import { foldInPlace, indexTerms, normalizeText, queryTerms, toNeedles } from './terms.ts';

const extractTerms = (text: string) => [...indexTerms(normalizeText(text))];

describe('foldInPlace', () => {
  it.each([
    ['Größe, ÉTÉ!', 'große  ete '],
    ['Łódź Ørsted İstanbul ΟΔΟΣ', 'lodz orsted istanbul οδοσ'],
    ['ﬁle ＡＢＣ 한국어 Ёж ٣٤', 'file abc 한국어 еж 34'],
    ['a👍b x̌y', 'a b x̌y'],
  ])('folds %s to %s without moving characters', (text, folded) => {
    expect(foldInPlace(normalizeText(text))).toBe(folded);
    expect([...foldInPlace(normalizeText(text))]).toHaveLength([...normalizeText(text)].length);
  });
});

describe('index terms', () => {
  it('contain words, and the characters and pairs of scripts without spaces', () => {
    expect(extractTerms('Zum Maßstab')).toEqual(['zum', 'massstab']);
    expect(extractTerms('Go 東京都')).toEqual(['go', '東', '京', '都', '東京', '京都']);
  });

  it.each([
    ['Dvořák Łódź Þór', 'Dvor\u030cak lodz thor'],
    ['Straße', 'STRASSE'],
    ['Iğdır', 'igdir'],
    ['ガッコウ', 'がつこう'],
    ['한국어', '\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165'],
    ['ƙofa ŋoma', 'kofa noma'],
    ['100 %', '１００％'],
    ['അവൻ ൽ', 'അവന്\u200d ല്\u200d'],
    ['ৎ', 'ত্'],
    ['ကာ', 'ကါ'],
  ])('are equal regardless of accents, case, and normalization: %s, %s', (text, other) => {
    expect(extractTerms(other)).toEqual(extractTerms(text));
    expect(queryTerms(other)).toBe(queryTerms(text));
  });
});

it.each(['می\u200cخواهم', 'क्\u200dष', 'soft\u00adhyphen', '\u2060joined', '❤\ufe0fword'])(
  'index terms and query terms ignore characters that are never drawn: %j',
  (text) => {
    const plain = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
    expect(extractTerms(text)).toEqual(extractTerms(plain));
    expect(queryTerms(text)).toBe(queryTerms(plain));
  },
);

describe('query terms', () => {
  it.each([
    ['', undefined],
    ['… - !', undefined],
    ['x', `'x'`],
    ['go', `'go':*`],
    ['Üb', `'ub':*`],
    ['회', `'\u1112\u116c':*`],
    ['inv', `'inv':*`],
    ['Invoice 2026', `'invoice':* & '2026':*`],
    ['straße', `'strasse':*`],
    ['東', `'東'`],
    ['東京都 x', `'東京' & '京都' & 'x'`],
    [`it's \\ 'here':*`, `'it':* & 's' & 'here':*`],
  ])('of %s are %s', (search, query) => {
    expect(queryTerms(search)).toBe(query);
  });

  it('match either spelling', () => {
    expect(toNeedles('Strasse')).toEqual([' strasse', ' straße']);
    expect(toNeedles('Straße am')).toEqual([' strasse', ' straße', ' am']);
    expect(toNeedles('Theaterstrasse')).toEqual(expect.arrayContaining([' theaterstraße', ' þeaterstrasse']));
  });
});
