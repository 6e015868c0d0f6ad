import { AppError } from '@atrium/service-kit/errors/app-error';
import { describe, expect, it } from '@jest/globals';
import {
  classifyFailure,
  DeliveryError,
  getRetryDelay,
  getUncertainRetryDelay,
  UnsendableEmailError,
} from './delivery-failure.ts';

const attempts = Array.from({ length: 30 }, (_, index) => index + 1);

describe('retry delays', () => {
  it('stay below a few seconds while the server is unavailable, so that emails are sent soon after it recovers', () => {
    expect(getRetryDelay('server-unavailable', 1)).toBe(1_000);
    expect(Math.max(...attempts.map((attempt) => getRetryDelay('server-unavailable', attempt)))).toBe(5_000);
  });

  it('double from a second to an hour when every attempt loses the connection', () => {
    expect(getRetryDelay('interrupted', 1)).toBe(1_000);
    expect(Math.max(...attempts.map((attempt) => getRetryDelay('interrupted', attempt)))).toBe(3_600_000);
  });

  it('double up to an hour while the server temporarily rejects the email', () => {
    expect(getRetryDelay('try-later', 1)).toBe(10_000);
    expect(getRetryDelay('try-later', 2)).toBe(20_000);
    expect(Math.max(...attempts.map((attempt) => getRetryDelay('try-later', attempt)))).toBe(3_600_000);
  });
});

describe('retries after an uncertain attempt', () => {
  it('are limited to five, with increasing delays', () => {
    const delays = [1, 2, 3, 4, 5].map((count) => getUncertainRetryDelay(count) ?? 0);
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(delays[0]).toBe(30_000);
    expect(getUncertainRetryDelay(6)).toBeUndefined();
  });
});

describe('classifyFailure', () => {
  const classify = (phase: DeliveryError['phase'], error: object) => classifyFailure(new DeliveryError(phase, error));

  it.each([
    ['connection', 'server-unavailable'],
    ['envelope', 'interrupted'],
    ['content', 'uncertain'],
  ] as const)('classifies a connection lost in phase "%s" as "%s"', (phase, expected) => {
    for (const code of ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EABORT'])
      expect(classify(phase, { code })).toBe(expected);
  });

  it('treats reply codes as certain', () => {
    expect(classify('content', { code: 'EMESSAGE', responseCode: 451, permanent: false })).toBe('try-later');
    expect(classify('content', { code: 'EMESSAGE', responseCode: 554, permanent: true })).toBe('permanent');
    expect(classify('content', { code: 'ECONNECTION', responseCode: 421 })).toBe('try-later');
    expect(classify('envelope', { code: 'EENVELOPE' })).toBe('permanent');
  });

  it('treats unparsable responses to the content as uncertain', () => {
    expect(classify('content', { code: 'EMESSAGE', response: 'hello world' })).toBe('uncertain');
    expect(classify('content', { code: 'EMESSAGE', response: '' })).toBe('uncertain');
    expect(classify('content', { code: 'EMESSAGE', response: '354 send it', responseCode: 354 })).toBe('uncertain');
    expect(classify('content', { code: 'EMESSAGE', response: '999 unknown', responseCode: 999 })).toBe('uncertain');
    expect(classify('envelope', { code: 'EENVELOPE', response: 'hello world' })).toBe('interrupted');
  });

  it('fails the email permanently for internal errors', () => {
    for (const error of [new TypeError('undefined is not a function'), new UnsendableEmailError('no link'), 'a string'])
      expect(classifyFailure(error)).toBe('permanent');
    expect(classify('connection', new TypeError('in the library'))).toBe('permanent');
    expect(classify('content', { code: 'ESTREAM' })).toBe('permanent');
    expect(classifyFailure(new AppError('unavailable', 'The store is unavailable'))).toBe('server-unavailable');
  });
});
