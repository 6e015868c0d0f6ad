import { describe, expect, it } from '@jest/globals';
import { describeError } from './describe-error.ts';

describe('describeError', () => {
  it('includes the type, the code, the stack, and the causes', () => {
    const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
    expect(describeError(new Error('the store is unavailable', { cause }))).toMatchObject({
      type: 'Error',
      message: 'the store is unavailable',
      stack: expect.stringContaining('describe-error.test.ts'),
      cause: { type: 'TypeError', message: 'no route', code: 'EHOSTUNREACH' },
    });
    expect(describeError('only text')).toEqual({ type: 'string', message: 'only text' });
  });

  it('omits details that drivers add: rows, parameters, and mail server responses', () => {
    const detail = 'Key (email)=(maya@example.org) already exists.';
    const databaseError = Object.assign(new Error('duplicate key value violates unique constraint "accounts_email"'), {
      code: '23505',
      detail,
    });
    expect(describeError(databaseError)).toMatchObject({ message: expect.stringContaining('accounts_email') });
    const mailError = Object.assign(
      new Error("550 5.1.1 <maya@example.org>: nobody's box, say to='maya@example.org'"),
      {
        code: 'EENVELOPE',
        rejected: ['maya@example.org'],
      },
    );
    const syntaxError = Object.assign(new Error('invalid input syntax for type integer: "Maya Okafor"'), {
      code: '22P02',
    });
    const text = JSON.stringify([databaseError, mailError, syntaxError].map((error) => describeError(error)));
    expect(text).not.toMatch(/maya|okafor/i);
    expect(describeError(mailError).message).toBe("550 5.1.1 <[address]>: nobody's box, say to='[address]'");
  });

  it('truncates long input that a driver quotes', () => {
    const { message, stack } = describeError(new Error('?a@'.repeat(1_000_000)));
    expect(message.length).toBeLessThan(5_000);
    expect(stack).toContain('describe-error.test.ts');
  });

  it('stops at circular causes', () => {
    const error = new Error('a');
    error.cause = error;
    expect(JSON.stringify(describeError(error)).length).toBeLessThan(20_000);
  });
});
