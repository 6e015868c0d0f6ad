import { describe, expect, it } from '@jest/globals';
import { isolate, isolatesToHtml } from '../src/text/isolate.ts';

describe('isolate', () => {
  it.each(['Lena', 'Zoë (QA)', '山田', 'Ада', ''])('returns "%s", without right-to-left letters, unchanged', (text) => {
    expect(isolate(text)).toBe(text);
  });

  it.each(['שלום!', 'می‌خواهم', 'ދިވެހި', 'ߒߞߏ', 'ﷺ', '𞤀𞤣𞤤𞤢𞤥', 'Project שלום'])('isolates "%s"', (text) => {
    expect(isolate(text)).toBe(`\u2068${text}\u2069`);
  });

  it('removes isolates within the text, which could end the outer one early', () => {
    expect(isolate('א\u2069ב\u2066ג')).toBe('\u2068אבג\u2069');
  });
});

describe('isolatesToHtml', () => {
  it('replaces isolates with bdi elements and leaves unpaired ones unchanged', () => {
    expect(isolatesToHtml(`Hello ${isolate('שלום')},`)).toBe('Hello <bdi>שלום</bdi>,');
    expect(isolatesToHtml('a\u2069b')).toBe('a\u2069b');
  });
});
