import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { simulateOffice } from '../load/auth-load/simulate-sign-ins.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
}, 600_000);
afterAll(() => system?.stop(), 90_000);

it('refuses nobody of an office behind one address, while guesses at its accounts are held', async () => {
  // The rates of 5,000 people: `npm run test:load-auth` has them all.
  const plan = {
    people: 200,
    signInsPerSecond: 8.4,
    renewalsPerSecond: 20,
    laptops: 200,
    wakesPerSecond: 33,
    addresses: 150,
  };
  const outcome = await simulateOffice(system, plan, () => undefined);
  expect(outcome).toMatchObject({
    // The page, the sign-in and five calls each.
    signIns: { 200: 7 * plan.people },
    renewals: { 200: plan.people },
    waking: { 101: plan.laptops, 200: 11 * plan.laptops },
    owners: { 200: 4 * 7 },
    attacker: { 401: 10, 429: expect.any(Number) },
    addresses: { 401: 100, 429: 2 * plan.addresses - 100 },
  });
  const refusals = [outcome.signIns, outcome.renewals, outcome.waking, outcome.owners].map((tally) => tally[429]);
  expect(refusals).toEqual(Array(4).fill(undefined));
}, 600_000);
