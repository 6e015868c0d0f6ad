import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { email, optionalText, requiredText, storedText } from '../src/fields.ts';
import { newPassword } from '../src/passwords.ts';
import { sentences } from './sentences.ts';

describe('a text', () => {
  it('that must be there has a character that shows, whatever a client takes for a space', () => {
    const title = requiredText('Title is required', 10);
    for (const blank of [undefined, '', '  \n', '\u00a0\ufeff', '\u001c\u0085']) {
      expect([blank, sentences(title, blank)]).toEqual([blank, ['Title is required']]);
    }
    expect(title.parse('  a b ')).toBe('a b');
  });

  it('is as long as it was sent, so that a client can tell before', () => {
    expect(sentences(requiredText('', 5), ' 12345 ')).toEqual(['Must be at most 5 characters']);
    expect(sentences(optionalText(5), '     ')).toEqual([]);
  });

  it('counts an emoji as one character, as JSON schema does', () => {
    expect(sentences(storedText(3), '🙂🙂🙂')).toEqual([]);
    expect(sentences(storedText(3), '🙂🙂🙂🙂')).toEqual(['Must be at most 3 characters']);
    expect(sentences(newPassword, 'Aa1!🙂🙂')).toEqual(['Password must be at least 8 characters long']);
    expect(sentences(newPassword, 'aaaa')).toHaveLength(4);
    expect(z.toJSONSchema(storedText(3))).toMatchObject({ type: 'string', maxLength: 3 });
    expect(z.toJSONSchema(newPassword)).toMatchObject({ minLength: 8, maxLength: 100 });
  });

  it('holds no character that cannot be stored', () => {
    for (const text of [storedText(9), optionalText(9), requiredText('', 9)]) {
      expect(sentences(text, 'a\u0000b')).toEqual(['The text holds a character that cannot be stored']);
    }
    expect(sentences(email, 'a\u0000@b.c')).toEqual(['Please enter a valid email address']);
  });
});

describe('an e-mail address', () => {
  it('may have spaces around it, which are none of it', () => {
    expect(email.parse(' Lena@Example.org\n')).toBe('lena@example.org');
    expect(sentences(email, '  ')).toEqual(['Email is required', 'Please enter a valid email address']);
    for (const wrong of ['lena', 'lena@x', 'le na@x.org', '@x.org']) {
      expect([wrong, sentences(email, wrong)]).toEqual([wrong, ['Please enter a valid email address']]);
    }
  });
});
