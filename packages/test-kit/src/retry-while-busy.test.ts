import { expect, it } from '@jest/globals';
import { retryWhileBusy } from './retry-while-busy.ts';

const respond = (status: number, retryAfter?: string) => ({
  status,
  headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
});

it.each([
  ['a success', [respond(200)], 1],
  ['an outage', [respond(503, '5')], 1],
  ['another error', [respond(429, '1')], 1],
  ['the response that follows a busy one', [respond(503, '1'), respond(201)], 2],
])('retryWhileBusy returns %s', async (_name, responses, expectedCalls) => {
  let calls = 0;
  const send = async () => responses[calls++] ?? respond(500);
  expect(await retryWhileBusy(send)).toBe(responses.at(-1));
  expect(calls).toBe(expectedCalls);
});
