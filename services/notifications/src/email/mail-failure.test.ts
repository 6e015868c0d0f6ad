import { AppError } from '@atrium/service-kit/http/app-error';
import { describe, expect, it } from '@jest/globals';
import { attemptDelay, DeliveryError, judgeFailure, UnsendableMail, uncertainDelay } from './mail-failure.ts';

const attempts = Array.from({ length: 30 }, (_, index) => index + 1);

describe('how long a mail waits for its next attempt', () => {
  it('is a few seconds at the most while somebody is away, so that it goes soon after they are back', () => {
    expect(attemptDelay('server-away', 1)).toBe(1_000);
    expect(Math.max(...attempts.map((attempt) => attemptDelay('server-away', attempt)))).toBe(5_000);
  });

  it('doubles from a second to an hour where the connection is lost with this email each time', () => {
    expect(attemptDelay('interrupted', 1)).toBe(1_000);
    expect(Math.max(...attempts.map((attempt) => attemptDelay('interrupted', attempt)))).toBe(3_600_000);
  });

  it('doubles up to an hour where the server has said so of this mail', () => {
    expect(attemptDelay('try-later', 1)).toBe(10_000);
    expect(attemptDelay('try-later', 2)).toBe(20_000);
    expect(Math.max(...attempts.map((attempt) => attemptDelay('try-later', attempt)))).toBe(3_600_000);
  });
});

describe('after an attempt whose outcome is uncertain', () => {
  it('there are five more, with growing pauses', () => {
    const delays = [1, 2, 3, 4, 5].map((count) => uncertainDelay(count) ?? 0);
    expect(delays).toEqual(delays.toSorted((one, other) => one - other));
    expect(delays[0]).toBe(30_000);
    expect(uncertainDelay(6)).toBeUndefined();
  });
});

describe('a failed attempt', () => {
  const failed = (phase: DeliveryError['phase'], error: object) => judgeFailure(new DeliveryError(phase, error));

  it.each([
    ['connection', 'server-away'],
    ['envelope', 'interrupted'],
    ['content', 'uncertain'],
  ] as const)('whose connection is lost in the phase "%s" is judged "%s"', (phase, expected) => {
    for (const code of ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EABORT'])
      expect(failed(phase, { code })).toBe(expected);
  });

  it('is certain where the server has responded', () => {
    expect(failed('content', { code: 'EMESSAGE', responseCode: 451, permanent: false })).toBe('try-later');
    expect(failed('content', { code: 'EMESSAGE', responseCode: 554, permanent: true })).toBe('for-good');
    expect(failed('content', { code: 'ECONNECTION', responseCode: 421 })).toBe('try-later');
    expect(failed('envelope', { code: 'EENVELOPE' })).toBe('for-good');
  });

  it('is uncertain where the server has responded to the content without a code that says what it did', () => {
    expect(failed('content', { code: 'EMESSAGE', response: 'hello world' })).toBe('uncertain');
    expect(failed('content', { code: 'EMESSAGE', response: '' })).toBe('uncertain');
    expect(failed('content', { code: 'EMESSAGE', response: '354 go on', responseCode: 354 })).toBe('uncertain');
    expect(failed('content', { code: 'EMESSAGE', response: '999 what', responseCode: 999 })).toBe('uncertain');
    expect(failed('envelope', { code: 'EENVELOPE', response: 'hello world' })).toBe('interrupted');
  });

  it('ends the email where the error is ours', () => {
    for (const error of [new TypeError('undefined is not a function'), new UnsendableMail('no link'), 'a string'])
      expect(judgeFailure(error)).toBe('for-good');
    expect(failed('connection', new TypeError('in the library'))).toBe('for-good');
    expect(failed('content', { code: 'ESTREAM' })).toBe('for-good');
    expect(judgeFailure(new AppError('unavailable', 'The store is unavailable'))).toBe('server-away');
  });
});
