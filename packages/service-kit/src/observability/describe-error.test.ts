import { describe, expect, it } from '@jest/globals';
import { describeError } from './describe-error.ts';

describe('an error in the log', () => {
  it('has its kind, its code, where it was, and its causes', () => {
    const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
    expect(describeError(new Error('the store is away', { cause }))).toMatchObject({
      type: 'Error',
      message: 'the store is away',
      stack: expect.stringContaining('describe-error.test.ts'),
      cause: { type: 'TypeError', message: 'no route', code: 'EHOSTUNREACH' },
    });
    expect(describeError('only words')).toEqual({ type: 'string', message: 'only words' });
  });

  it('has nothing that a driver hangs on it: no row, no parameter, no answer of a mail server', () => {
    const detail = 'Key (email)=(maya@example.org) already exists.';
    const database = Object.assign(new Error('duplicate key value violates unique constraint "accounts_email"'), {
      code: '23505',
      detail,
    });
    expect(describeError(database)).toMatchObject({ message: expect.stringContaining('accounts_email') });
    const mail = Object.assign(new Error("550 5.1.1 <maya@example.org>: nobody's box, say to='maya@example.org'"), {
      code: 'EENVELOPE',
      rejected: ['maya@example.org'],
    });
    const syntax = Object.assign(new Error('invalid input syntax for type integer: "Maya Okafor"'), { code: '22P02' });
    const text = JSON.stringify([database, mail, syntax].map((error) => describeError(error)));
    expect(text).not.toMatch(/maya|okafor/i);
    expect(describeError(mail).message).toBe("550 5.1.1 <[address]>: nobody's box, say to='[address]'");
  });

  it('is cut where a driver quotes long input', () => {
    const { message, stack } = describeError(new Error('?a@'.repeat(1_000_000)));
    expect(message.length).toBeLessThan(5_000);
    expect(stack).toContain('describe-error.test.ts');
  });

  it('ends with causes that go round', () => {
    const error = new Error('a');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).length).toBeLessThan(20_000);
  });
});
