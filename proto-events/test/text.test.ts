import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareText, foldText, toAsciiDigits, uniqueKey } from '../src/text/fold.ts';
import { hasVisibleText, normalizeName, normalizeText } from '../src/text/normalize.ts';
import { matchesSearch, searchNeedles, toSearchText } from '../src/text/search.ts';

const SCRIPTS =
  'Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';
const codePoints = Array.from({ length: 0x20_000 }, (_, codePoint) => codePoint).filter((one) => one >> 11 !== 27);
const charactersIn = (pattern: RegExp) =>
  codePoints.map((one) => String.fromCodePoint(one)).filter((c) => pattern.test(c));

const ALL_CHARACTERS = charactersIn(/./su);
const PRESENTATION = /[\ufc5e-\ufe7f\u0140\u013f\u037a\ua8f2-\ua8f7]/u;

/** Words of many scripts and forms, and separators. */
const WORDS = [
  'Ñandú',
  'Dvořák',
  'Straße',
  'ŁÓDŹ',
  'Iğdır',
  'İZMİR',
  'ΟΔΟΣ',
  'Ørsted',
  'Þór',
  'ﬁnal',
  '٣٤',
  'Привет',
  '한글',
  '東京都',
  'ガッコウ',
  'สวัสดี',
  'कुल',
  'ſt',
  '🎉',
  "o'Brien",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 5 })
  .map((words) => words.join(' '))
  // The iota subscript is a mark in lowercase and a letter in uppercase.
  .filter((one) => !one.normalize('NFD').includes('\u0345'));
const searchable = text.filter((one) => searchNeedles(one).length > 0);

describe('normalizeText', () => {
  it('composes, trims all white space, and is idempotent', () => {
    expect(normalizeText('\u2003 Zu\u0308rich\u0085\u200b\n')).toBe('Zürich');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (one) => normalizeText(normalizeText(one)) === normalizeText(one)),
    );
  });

  it.each([
    '\u200b',
    '\u2800',
    '\u3164',
    '\u115f\u1160',
    '\uffa0',
    '\u00ad',
    '\u034f',
    '\u180e',
    '\u2060\ufeff',
    '\u0085\u001f',
    '\ud800',
    '\u202e',
    '\u{e0041}',
    '\ufff9',
    '',
  ])('hasVisibleText is false for %j', (one) => expect(hasVisibleText(` ${one}\n`)).toBe(false));

  it.each(['a', '.', '\u0301', '\u0600', '🎉', '\u{1f1e9}', '０', '\ufffd', 'ᄀ'])(
    'hasVisibleText is true for %j',
    (one) => expect(hasVisibleText(one)).toBe(true),
  );

  it('normalizeName removes bidirectional controls', () => {
    expect(normalizeName('\u202eanna\u2066 \u200fBrandt\u2069')).toBe('anna Brandt');
  });
});

describe('foldText', () => {
  it.each([
    ['Straße', 'STRASSE'],
    ['Iğdır', 'igdir'],
    ['ſeſſion', 'Session'],
    ['ΟΔΟΣ', 'οδος'],
    ['Łukasz Ørsted Đorđe', 'lukasz orsted dorde'],
    ['Æsir œuvre þing ð ħ ŧ', 'aesir oeuvre thing d h t'],
    ['ﬁ Ⅷ ㎞ ｱ', 'FI viii km あ'],
    ['۱۲٣', '123'],
    ['so\u00adft\u200bly', 'softly'],
    ['مُحَمَّد شَـلَبي', 'محمد شلبي'],
    ['שָׁלוֹם', 'שלום'],
    ['Ёлка Άλφα', 'елка αλφα'],
    ['पढ़ना', 'पढना'],
    ['അവൻ അവർ ൽ ൺ ൾ ൿ', 'അവന്\u200d അവര്\u200d ല്\u200d ണ്\u200d ള്\u200d ക്\u200d'],
    ['উৎসব', 'উত্\u200dসব'],
    ['ကါ', 'ကာ'],
    ['กู้', 'ก\u0e49\u0e39'],
    ['ก\u0e49\u200d\u0e39', 'กู้'],
  ])('folds %s like %s', (one, other) => expect(foldText(one)).toBe(foldText(other)));

  it.each([
    ['ดี', 'ด'],
    ['ปี', 'ปู'],
    ['ม้า', 'มา'],
    ['के', 'कु'],
    ['मेरा', 'मरा'],
    ['क्', 'क'],
    ['సి', 'సు'],
    ['ម៉ែ', 'មែ'],
    ['ကို', 'ကု'],
    ['සිරි', 'සුරු'],
    ['ગુ', 'ગે'],
    ['ޒަ', 'ޒު'],
  ])('distinguishes %s from %s, where a mark makes another word', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  it('keeps each mark that the root collation distinguishes, except in scripts with optional marks', () => {
    const collator = new Intl.Collator('en', { sensitivity: 'base' });
    const optional = /[\p{sc=Zinh}\p{sc=Cyrl}\p{sc=Samr}]/u;
    const marks = charactersIn(/^(?!\p{Default_Ignorable_Code_Point})\p{M}$/u).filter((mark) => !optional.test(mark));
    const isLost = (mark: string) => foldText(`x${mark}`) === 'x' && collator.compare(`x${mark}`, 'x') !== 0;
    expect(marks.filter(isLost)).toEqual([]);
  });

  it('unifies letters that the root collation equates at its primary strength', () => {
    const collator = new Intl.Collator('en', { sensitivity: 'base' });
    const scripts = SCRIPTS.split(' ').map((script) => `\\p{sc=${script}}`);
    const letters = charactersIn(new RegExp(`^(?=[\\p{L}\\p{Nd}])[${scripts.join('')}\\p{Nd}]$`, 'u'));
    // Without digraphs and presentation forms that decompose into a mark and its base.
    const sorted = letters.filter((one) => !PRESENTATION.test(one)).toSorted(collator.compare);
    const isApart = (one: string, index: number, { [index - 1]: before = '' }: string[]) =>
      collator.compare(before, one) === 0 && foldText(before) !== foldText(one);
    expect(sorted.filter(isApart)).toEqual([]);
  });

  it('is idempotent, and equal for all normal forms', () => {
    expect(ALL_CHARACTERS.filter((one) => foldText(foldText(one)) !== foldText(one))).toEqual([]);
    fc.assert(
      fc.property(text, (one) => {
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(foldText(one.normalize(form))).toBe(foldText(one));
        expect(foldText(one.toUpperCase())).toBe(foldText(one));
      }),
    );
  });
});

describe('uniqueKey', () => {
  it('ignores case, normal form, and blanks, but distinguishes letters', () => {
    for (const twin of ['CAFÉ  Nord', 'Cafe\u0301 Nord', ' café\u00a0nord ', 'ｃafé nord', 'ca\u00adfé nord']) {
      expect(uniqueKey(twin)).toBe(uniqueKey('Café Nord'));
    }
    expect(uniqueKey('STRASSE')).toBe(uniqueKey('Straße'));
    for (const other of ['Cafe Nord', 'CaféNord', 'Café Nörd'])
      expect(uniqueKey(other)).not.toBe(uniqueKey('Café Nord'));
    expect(uniqueKey('ılık')).not.toBe(uniqueKey('ilik'));
  });

  it('is idempotent', () => {
    expect(ALL_CHARACTERS.filter((one) => uniqueKey(uniqueKey(one)) !== uniqueKey(one))).toEqual([]);
  });
});

describe('search', () => {
  it.each([
    ['Lena Brandt', 'brandt le'],
    ['Petra Dvořák', 'DVORAK pet'],
    ['東京都庁 Bau', '京都'],
    ['ภาษาไทยง่าย', 'ไทย'],
    ['taro山田', '山田 taro'],
    ['Q3, (draft): "e-mail"', 'draft q3 e-mail'],
    ['100 % done 🎉', '🎉 100%'],
    ['น้ำดี', 'ดี'],
  ])('of %s matches %s', (one, query) => expect(matchesSearch(one, query)).toBe(true));

  it.each([
    ['Sprint 21', 'sprint 1'],
    ['Lena Brandt', 'lena brandx'],
    ['anything', '...'],
    ['東京都', '京東'],
    ['เด็ก', 'ดี'],
    ['कुल', 'के'],
  ])('of %s does not match %s', (one, query) => expect(matchesSearch(one, query)).toBe(false));

  it('matches a text by its folded form, normal forms, other cases, and in any word order', () => {
    fc.assert(
      fc.property(searchable, fc.gen(), (one, gen) => {
        const words = one.split(' ');
        const shuffled = gen(() => fc.shuffledSubarray(words, { minLength: words.length })).join('  ');
        for (const query of [
          one,
          foldText(one),
          one.normalize('NFD'),
          one.normalize('NFKC'),
          one.toUpperCase(),
          shuffled,
        ]) {
          expect([one, query, matchesSearch(one, query)]).toEqual([one, query, true]);
        }
      }),
    );
  });

  it('takes linear time', () => {
    const timeOf = (length: number) => {
      const started = performance.now();
      for (const fragment of ['a', '\u0301', 'ู้', '\u0e48\u0e39', "a'", 'é ', '京', '\u200b', ' '])
        toSearchText(fragment.repeat(length));
      for (const blank of [' ', '\u200b', '\u3000']) normalizeText(`a${blank.repeat(length)}b`);
      return performance.now() - started;
    };
    timeOf(10_000);
    expect(timeOf(160_000) / timeOf(10_000)).toBeLessThan(100);
  });
});

it('compareText is a total order for display', () => {
  expect(['b', 'Ä', 'a10', 'a9', 'A', 'a'].toSorted(compareText)).toEqual(['a', 'A', 'Ä', 'a9', 'a10', 'b']);
  expect(compareText('é', 'e\u0301')).not.toBe(0);
});

it('toAsciiDigits reads every decimal digit of Unicode', () => {
  let run: string[] = [];
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    const character = codePoint >> 11 === 27 ? '' : String.fromCodePoint(codePoint);
    run = /^\p{Nd}$/u.test(character) ? [...run, character] : [];
    if (run.length > 0 && toAsciiDigits(character) !== String((run.length - 1) % 10)) wrong.push(character);
  }
  expect(wrong).toEqual([]);
});
