import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { simulateSignIns } from '../load/auth-load/simulate-sign-ins.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => system?.stop());

it('limits password guesses without rejecting users of an office that share one IP address', async () => {
  // These are the request rates of 5,000 users. `npm run test:load-auth` simulates that many.
  const plan = {
    users: 200,
    signInsPerSecond: 8.4,
    refreshesPerSecond: 20,
    laptops: 200,
    wakesPerSecond: 33,
    addresses: 150,
  };
  const outcome = await simulateSignIns(system, plan, () => undefined);
  expect(outcome).toMatchObject({
    // Each user loads the page, signs in, and sends five more requests.
    signIns: { 200: 7 * plan.users },
    refreshes: { 200: plan.users },
    wakeUps: { 101: plan.laptops, 200: 11 * plan.laptops },
    owners: { 200: 4 * 7 },
    attacker: { 401: 10, 429: expect.any(Number) },
    addresses: { 401: 100, 429: 2 * plan.addresses - 100 },
  });
  const rateLimited = [outcome.signIns, outcome.refreshes, outcome.wakeUps, outcome.owners].map((tally) => tally[429]);
  expect(rateLimited).toEqual(Array(4).fill(undefined));
});
