import { describe, expect, it } from '@jest/globals';
import { rareTrigrams } from './rare-trigrams.ts';

describe('rareTrigrams', () => {
  it.each([
    ['audit', ['udi']],
    ['Clean the checkout', ['cko', 'Cle']],
    ['invoice 856503', ['856', 'voi']],
    ['campaign 1', ['amp', ' 1']],
    ['26 trans', ['26 ', ' tr']],
    ['epare the s', ['par', ' s']],
    ['a b c', [' b ', ' c']],
    ['the audit', ['udi', 'the']],
    ['the', ['the']],
    ['Überprüfung', ['fun', 'rpr']],
  ])('selects the rarest trigrams of %s', (text, parts) => {
    expect(rareTrigrams(text)).toEqual(parts);
  });

  it.each(['', 'ab', '20% o', 'ΟΔΟΣ', 'Größe', '会议记录'])('selects none for %s', (text) => {
    expect(rareTrigrams(text)).toEqual([]);
  });
});
