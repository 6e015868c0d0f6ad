import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { ALL_ENDPOINTS } from '../src/all-endpoints.ts';
import { email, optionalName, optionalText, requiredName, requiredText, storedText } from '../src/fields.ts';
import { newPassword } from '../src/http/auth.ts';
import { channelName } from '../src/http/chat/channel-settings.ts';
import { content, contentWithFiles } from '../src/http/chat/message-text.ts';
import { updateDocumentBody, uploadFields } from '../src/http/documents.ts';
import { notesInput } from '../src/http/meetings/notes.ts';
import { updateUserBody } from '../src/http/users.ts';
import { mailtoUri, parseEmailAddress } from '../src/text/email.ts';
import { sentences } from './sentences.ts';

describe('a text field', () => {
  it('requires a visible character, regardless of the kind of spaces', () => {
    const title = requiredText('Title is required', 10);
    for (const blank of [
      undefined,
      '',
      '  \n',
      '\u00a0\ufeff',
      '\u001c\u0085',
      '\u200b',
      '\u2800',
      '\u3164 \u115f',
      '\u202e',
    ]) {
      expect([blank, sentences(title, blank)]).toEqual([blank, ['Title is required']]);
    }
    expect(title.parse('  a b ')).toBe('a b');
    const patterns = (z.toJSONSchema(title).allOf ?? []).map(({ pattern = '' }) => new RegExp(pattern, 'u'));
    const isAccepted = (input: string) => patterns.every((pattern) => pattern.test(input));
    expect(['\u2800', '\u200b', ' a '].map(isAccepted)).toEqual([false, false, true]);
  });

  it('is composed and trimmed, and, for names, without bidirectional controls', () => {
    for (const text of [requiredText(''), optionalText(), content, contentWithFiles]) {
      expect(text.parse('\u2003Zu\u0308rich\n')).toBe('Zürich');
    }
    expect(storedText(9).parse(' u\u0308 ')).toBe(' ü ');
    expect(requiredName('').parse('\u202eAnna\u2066 ')).toBe('Anna');
    for (const name of [requiredName(''), optionalName()]) {
      for (const separator of [
        '\n\n',
        '\r\n',
        '\t',
        '\u0085',
        '\u2028',
        '\u2029',
        '\u001b',
        '\u009b',
        ' \u3000\u00a0',
        ' \u202e\n',
      ]) {
        expect(name.parse(` Anna${separator}Brandt\n`)).toBe('Anna Brandt');
      }
    }
    expect(requiredText('').parse('a\n\nb')).toBe('a\n\nb');
    expect(requiredText('').parse('\u2068a\u2069 b')).toBe('\u2068a\u2069 b');
  });

  it('is deduplicated in a list of tags or skills by case and form, without invisible ones', () => {
    const input = [
      'Café',
      ' ',
      '\u2800',
      '\u3164',
      '\u115f\u1160',
      '\u0007',
      '\u200b',
      'CAFE\u0301',
      'ＣＡＦÉ',
      'a  b',
      'A b',
      'Cafe',
    ];
    const distinctNames = ['Café', 'a b', 'Cafe'];
    expect(uploadFields.parse({ tags: input }).tags).toEqual(distinctNames);
    expect(uploadFields.parse({ tags: input.join(',') }).tags).toEqual(distinctNames);
    expect(updateDocumentBody.parse({ tags: input }).tags).toEqual(distinctNames);
    expect(updateUserBody.parse({ skills: input }).skills).toEqual(distinctNames);
  });

  it('requires visible text in every list of strings in a request', () => {
    const fields = ALL_ENDPOINTS.flatMap(({ endpoint: { body, multipart } }) =>
      [body, multipart].flatMap((shape) =>
        shape instanceof z.ZodObject ? Object.entries<z.ZodType>(shape.shape) : [],
      ),
    );
    const acceptedFields = fields.flatMap(([name, field]) => {
      const { success, data } = field.safeParse(['\u2800', 'text']);
      return success && Array.isArray(data) ? [{ name, data }] : [];
    });
    expect(acceptedFields.map(({ name }) => name)).toEqual(expect.arrayContaining(['tags', 'skills']));
    // Ids of notifications are not stored, and attachments are files.
    const fieldsWithBlank = acceptedFields.filter(({ data }) => data.includes('\u2800')).map(({ name }) => name);
    expect(fieldsWithBlank.toSorted()).toEqual(['attachments', 'ids', 'ids']);
  });

  it('requires visible text in messages and channel names', () => {
    expect(sentences(content, ' \u2800\u200b')).toEqual(['Message cannot be empty']);
    expect(contentWithFiles.parse('\u200b')).toBe('');
    expect(sentences(channelName, '\u2800')).toContain('Channel name is required');
  });

  it('is measured as sent, so that clients can validate its length', () => {
    expect(sentences(requiredText('', 5), ' 12345 ')).toEqual(['Must be at most 5 characters']);
    expect(sentences(optionalText(5), '     ')).toEqual([]);
  });

  it('is measured as stored, since composition can lengthen or shorten it', () => {
    const longer = '\u0958'.repeat(6);
    const shorter = '\u1112\u1161\u11ab'.repeat(10);
    for (const text of [requiredText('', 10), requiredName('', 10), optionalText(10), storedText(10)]) {
      expect(sentences(text, longer)).toEqual(['Must be at most 10 characters']);
      const stored = text.parse(shorter);
      expect(stored).toBe('한'.repeat(10));
      expect(text.parse(stored)).toBe(stored);
      expect(sentences(text, 'x'.repeat(10_000))).toEqual(['Must be at most 10 characters']);
    }
    expect(sentences(content, '\u0958'.repeat(5_001))).toEqual(['Message must be at most 10000 characters']);
    expect(content.parse('\u1112\u1161\u11ab'.repeat(10_000))).toBe('한'.repeat(10_000));
  });

  it('counts an emoji as one character, as JSON Schema does', () => {
    expect(sentences(storedText(3), '🙂🙂🙂')).toEqual([]);
    expect(sentences(storedText(3), '🙂🙂🙂🙂')).toEqual(['Must be at most 3 characters']);
    expect(sentences(newPassword, 'Aa1!🙂🙂')).toEqual(['Password must be at least 8 characters long']);
    expect(sentences(newPassword, 'aaaa')).toHaveLength(4);
    expect(z.toJSONSchema(storedText(3))).toMatchObject({ type: 'string', maxLength: 3 });
    expect(z.toJSONSchema(newPassword)).toMatchObject({ minLength: 8, maxLength: 100 });
  });

  it('of notes is measured before normalization', () => {
    const marks = `a${'\u0345'.repeat(40)}`;
    expect(storedText(42).parse(marks)).toBe(`${marks.slice(0, 31)}\u034f${marks.slice(31)}`.normalize('NFC'));
    const text = 'a'.repeat(2_000);
    expect(notesInput.parse({ text, base: '' })).toEqual({ text, base: '' });
    expect(notesInput.parse({ text: ' u\u0308', base: 'u\u0308' })).toEqual({ text: ' ü', base: 'ü' });
    expect(sentences(notesInput, { text: `${text}a`, base: '' })).toEqual(['Notes must be at most 2000 characters']);
  });

  it('contains no character that cannot be stored', () => {
    for (const text of [storedText(9), optionalText(9), requiredText('', 9)]) {
      expect(sentences(text, 'a\u0000b')).toEqual(['The text holds a character that cannot be stored']);
    }
    expect(sentences(email, 'a\u0000@b.c')).toEqual(['Please enter a valid email address']);
  });
});

describe('parseEmailAddress', () => {
  it('ignores surrounding white space', () => {
    expect(email.parse(' Lena@Example.org\n')).toBe('lena@example.org');
    expect(sentences(email, '  ')).toEqual(['Email is required', 'Please enter a valid email address']);
  });

  it.each([
    '<lena@example.org>',
    'Lena Brandt <Lena@Example.org>',
    '"Brandt, Lena" <lena@example.org>',
    'mailto:lena@example.org?subject=Hello',
    'Lena Brandt [mailto:lena@example.org]',
    '<MAILTO:lena@example.org>',
    '(lena@example.org),',
    '“lena@example.org”.',
    "'lena@example.org'",
    '"lena"@example.org',
    'lena@exam\u200bple.org',
    '\ufefflena@example.org\u2060',
    '\u202alena@example.org\u202c',
    'le\u00adna@example.org',
    'ｌｅｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ',
    'lena@example。org',
    'mailto:lena%40example.org',
    'mailto:le%E3%85%A4na@example.org',
    'mailto:%EF%BD%8Cena@example.org',
    'mailto:%3Cle%C2%ADna%EF%BC%A0example.org%3E',
    'ｍａｉｌｔｏ：lena@example.org',
    'le\u2800na@example.org',
    'le\u{1d159}na@example.org',
    'lena\ufff9@example.org',
    'le\u034fna@example.org',
    ...[
      '**lena@example.org**',
      '*lena@example.org*',
      '_lena@example.org_',
      '~~lena@example.org~~',
      '`lena@example.org`',
    ],
    ...['***lena@example.org***', '**"lena@example.org"**', '"**lena@example.org**".', '(**lena@example.org**)'],
    ...['**lena@example.org**:', '**Email:** lena@example.org', '**Email: lena@example.org**', '* lena@example.org'],
    ...['- lena@example.org', '1. lena@example.org', '[lena@example.org](mailto:lena@example.org)'],
    ...['Lena Brandt (lena@example.org)', 'lena@example.org (Lena)', '(Lena) lena@example.org'],
    ...['lena(work)@example.org', 'lena@(work)example.org', '"Brandt <HR>" <lena@example.org>'],
    ...[
      'Lena lena@example.org',
      'Lena von Brandt lena@example.org',
      '山田 lena@example.org',
      'lena@example.org Lena Brandt',
    ],
    ...['E-Mail: lena@example.org', 'email:lena@example.org', 'Lena - lena@example.org', 'Lena\tlena@example.org'],
    ...[
      'lena@example.org\tLena',
      'lena@example.org, Lena',
      'Please write to lena@example.org.',
      'lena@example.org?subject=Hi',
    ],
    ...['Lena &lt;lena@example.org&gt;', 'lena&#64;example.org', 'lena&#x40;example.org', '&nbsp;lena@example.org'],
    '<a href="mailto:lena@example.org">lena@example.org</a>',
  ])('finds the address in %j', (pasted) => expect(email.parse(pasted)).toBe('lena@example.org'));

  it.each([
    ['ben@BÜCHER.example', 'ben@xn--bcher-kva.example'],
    ['ben@bu\u0308cher.example', 'ben@xn--bcher-kva.example'],
    ['Пример@пример.рф', 'пример@xn--e1afmkfd.xn--p1ai'],
    ["o'brien+tag/x=y@example.ie", "o'brien+tag/x=y@example.ie"],
    ['_x@example.com', '_x@example.com'],
    ['*_x@example.com*', '_x@example.com'],
    ['tom&amp;jerry@example.com', 'tom&jerry@example.com'],
    ['ΟΔΟΣ.x@example.com', 'οδος.x@example.com'],
    ['οδοσ@example.com', 'οδος@example.com'],
    ['mailto:x@b%C3%BCcher.example', 'x@xn--bcher-kva.example'],
  ])('normalizes %s to %s', (input, canonical) => {
    expect(email.parse(input)).toBe(canonical);
    expect(email.parse(canonical)).toBe(canonical);
  });

  it('returns addresses that read as themselves, with every character visible', () => {
    const fragment = fc.constantFrom(
      ...[
        'mailto:',
        'MAILTO%3A',
        '%E3%85%A4',
        '%EF%BD%8D',
        '%CD%8F',
        '%25E3',
        '%zz',
        '%3C',
        '%0A',
        'ｍ',
        '<',
        '>',
        '"',
        "'",
      ],
      ...[
        'a',
        'İ',
        'ẞ',
        'ϴ',
        'ﬁ',
        '㎏',
        '가',
        '.',
        '。',
        '?',
        ' ',
        '+',
        '=',
        '\u0301'.repeat(12),
        '\u0345',
        '\u2800',
        '\u200d',
      ],
      ...[
        '@',
        '@example.org',
        '@ｅｘ.org',
        '@bücher.example',
        '@xn--bcher-kva.example',
        '@faß.de',
        '@\u{1f600}.example',
      ],
    );
    const typedText = fc.array(fragment, { maxLength: 9 }).map((fragments) => fragments.join(''));
    const visibleOnly = /^[^\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]+$/u;
    let count = 0;
    fc.assert(
      fc.property(fc.oneof(typedText, fc.emailAddress()), (input) => {
        const address = parseEmailAddress(input);
        if (address === undefined) return;
        count += 1;
        expect(parseEmailAddress(address)).toBe(address);
        expect(address).toMatch(visibleOnly);
        expect(address.normalize('NFKC')).toBe(address);
      }),
      { numRuns: 3_000 },
    );
    expect(count).toBeGreaterThan(500);
  });

  it.each([
    'lena',
    'lena@x',
    'le na@x.org',
    '@x.org',
    'lena@x.org, ben@x.org',
    '<lena@x.org> <ben@x.org>',
    '"<b>lena</b>"@x.org',
    '"le na"@x.org',
    '.lena@x.org',
    'le..na@x.org',
    'lena.@x.org',
    'lena@-x.org',
    'lena@x_y.org',
    'lena@x..org',
    'lena@exa%6dple.org',
    'lena@127.0.0.1',
    'lena@[127.0.0.1]',
    'le\u0007na@x.org',
    'lena@x.org/path',
    ...[
      'Le na@x.org',
      'lena@ x.org',
      'lena@x.org .uk',
      'lena@x.co m',
      'https://lena@x.org/',
      'https://example.org/@x.org',
    ],
    `${'x'.repeat(65)}@x.org`,
    `lena@${'x'.repeat(64)}.org`,
    `${'й'.repeat(33)}@x.org`,
  ])('finds no address in %j', (text) =>
    expect(sentences(email, text)).toEqual(['Please enter a valid email address']),
  );

  it.each([
    '用户@a.org',
    'what?@a.org',
    'a%b@a.org',
    'a#b@a.org',
    'tom&jerry@a.org',
    "o'x+y/z=1@a.org",
    'a{b}|c^d`e@a.org',
  ])('reads the same from the mailto URI of %s', (address) => {
    expect(mailtoUri(address)).toMatch(/^mailto:[a-z0-9!$'()*+,;:@.~_%-]+$/i);
    expect(new URL(mailtoUri(address)).search + new URL(mailtoUri(address)).hash).toBe('');
    expect(email.parse(mailtoUri(address))).toBe(address);
  });

  it('takes linear time', () => {
    const measureMs = (length: number) => {
      const startedAt = performance.now();
      for (const fragment of ['<', '<a@', ' (@', '*', '&lt;', '&#6', 'A ', '.', '"', '@ ', '_-', '?'])
        for (const text of [
          fragment.repeat(length),
          `a@b.org${fragment.repeat(length)}`,
          `${fragment.repeat(length)}a@b.org`,
        ])
          parseEmailAddress(text);
      return performance.now() - startedAt;
    };
    measureMs(2_000);
    expect(measureMs(32_000) / measureMs(2_000)).toBeLessThan(100);
  });
});
