import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitForLive } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiResponse,
  type Client,
  createUser,
  expectStatus,
  PASSWORD,
  send,
  setUpWorkspace,
} from '../workspace/workspace.ts';
import type { Attack } from './attacks/attack.ts';
import { browserHeaders, deepJson, forwardedPorts, protocolOffers, upperCase } from './attacks/request-attacks.ts';
import { slowDocument, slowMarks, slowPath, slowReports } from './attacks/slow-texts.ts';

/** The attacks of `attacks/`. */
const ATTACKS: readonly Attack[] = [
  slowPath,
  ...slowReports,
  ...slowMarks,
  slowDocument,
  deepJson,
  upperCase,
  forwardedPorts,
  protocolOffers,
  browserHeaders,
];

const OFFICE_ADDRESS = '198.51.100.7';

let system: System;
let admin: Client;

/** Signs in from an IP address, passed in X-Forwarded-For, which the gateway trusts in this suite. */
const signInFrom = (
  email: string,
  address: string,
  overrides: { password?: string; device?: string | undefined } = {},
) =>
  send<{ device: string }>(`${system.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password: PASSWORD, ...overrides }),
  });
const guessPassword = (email: string, address: string, n: number, device?: string) =>
  signInFrom(email, address, { password: `Wrong#Guess${n}`, device });

/** Makes `count` calls, at most `concurrency` at a time, and returns their statuses. */
async function runConcurrently(
  count: number,
  concurrency: number,
  call: (n: number) => Promise<ApiResponse<unknown>>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let from = 0; from < count; from += concurrency) {
    const calls = Array.from({ length: Math.min(concurrency, count - from) }, (_, n) => call(from + n));
    statuses.push(...(await Promise.all(calls)).map(({ status }) => status));
  }
  return statuses;
}

const countStatus = (statuses: number[], status: number) => statuses.filter((other) => other === status).length;

beforeAll(async () => {
  system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' }, expectedErrors: [/Client error reported/] });
  admin = await setUpWorkspace(system.url);
});
afterAll(() => system?.stop());

describe('Atrium under attack', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))('%s', async (_name, attack) => {
    await attack.run({ url: system.url, admin });
  });
});

describe('password guessing', () => {
  it('from one address is limited to ten attempts per account, and spares known devices and other accounts', async () => {
    const lena = await createUser(system.url, admin, { first: 'Lena', role: 'member' });
    const jonas = await createUser(system.url, admin, { first: 'Jonas', role: 'member' });
    const { device } = await expectStatus(signInFrom(lena.email, OFFICE_ADDRESS), 200);
    const statuses = await runConcurrently(40, 8, (n) => guessPassword(lena.email, OFFICE_ADDRESS, n));
    expect(countStatus(statuses, 401)).toBe(10);
    expect(countStatus(statuses, 429)).toBe(30);
    expect((await signInFrom(lena.email, OFFICE_ADDRESS, { device })).status).toBe(200);
    expect((await signInFrom(jonas.email, OFFICE_ADDRESS)).status).toBe(200);
    // Forged device ids do not allow more attempts.
    const statusesWithForgedDevices = await runConcurrently(20, 4, (n) =>
      guessPassword(lena.email, OFFICE_ADDRESS, n, String(n).padStart(43, 'x')),
    );
    expect(countStatus(statusesWithForgedDevices, 429)).toBe(20);
  });

  it('from a thousand addresses is limited to a hundred attempts per account and hour, and spares known devices', async () => {
    const nora = await createUser(system.url, admin, { first: 'Nora', role: 'member' });
    const { device } = await expectStatus(signInFrom(nora.email, OFFICE_ADDRESS), 200);
    const statuses = await runConcurrently(1_000, 20, (n) =>
      guessPassword(nora.email, `198.18.${n >> 8}.${n & 255}`, n),
    );
    expect(countStatus(statuses, 401)).toBe(100);
    expect(countStatus(statuses, 429)).toBe(900);
    expect((await signInFrom(nora.email, '203.0.113.9', { device })).status).toBe(200);
  });
});

describe('invitations', () => {
  const invite = (n: number) =>
    admin.call<{ user: string; email: string }>('POST', '/auth/invite', {
      email: `script${n}@example.org`,
      firstName: 'Script',
      lastName: `Number ${n}`,
      role: 'member',
    });

  it('add the invited user to the user list within a second', async () => {
    const { user, email } = await expectStatus(invite(500), 201);
    await waitForLive('the invited user to be listed', async () => {
      const { body } = await admin.call<{ data: { _id: string }[] }>('GET', `/users?search=${email}`);
      return body.data.some(({ _id }) => _id === user);
    });
  });

  it('do not count toward the sign-in limit, so a script can create five hundred without a pause', async () => {
    const statuses = await runConcurrently(500, 5, invite);
    expect(countStatus(statuses, 201)).toBe(500);
  });
});
