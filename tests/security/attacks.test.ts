import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitForLive } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiResponse,
  type Client,
  expectStatus,
  createUser,
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

const OFFICE = '198.51.100.7';

let system: System;
let admin: Client;

/** Signs in from a public IP address, given by X-Forwarded-For, which the gateway trusts here. */
const enter = (email: string, from: string, given: { password?: string; device?: string | undefined } = {}) =>
  send<{ device: string }>(`${system.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password: PASSWORD, ...given }),
  });
const guess = (email: string, from: string, n: number, device?: string) =>
  enter(email, from, { password: `Wrong#Guess${n}`, device });

/** Makes calls with limited concurrency and returns their statuses. */
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

const countOf = (statuses: number[], status: number) => statuses.filter((given) => given === status).length;

beforeAll(async () => {
  system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' }, expectedErrors: [/Client error reported/] });
  admin = await setUpWorkspace(system.url);
}, 600_000);
afterAll(() => system?.stop());

describe('an attack', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))('%s', async (_name, attack) => {
    await attack.run({ url: system.url, admin });
  });
});

describe('password guessing', () => {
  it('from a shared office address is limited to ten attempts per account, without locking out known devices', async () => {
    const lena = await createUser(system.url, admin, { first: 'Lena', role: 'member' });
    const jonas = await createUser(system.url, admin, { first: 'Jonas', role: 'member' });
    const { device } = await expectStatus(enter(lena.email, OFFICE), 200);
    const statuses = await runConcurrently(40, 8, (n) => guess(lena.email, OFFICE, n));
    expect(countOf(statuses, 401)).toBe(10);
    expect(countOf(statuses, 429)).toBe(30);
    expect((await enter(lena.email, OFFICE, { device })).status).toBe(200);
    expect((await enter(jonas.email, OFFICE)).status).toBe(200);
    // Invented device ids do not add attempts.
    const invented = await runConcurrently(20, 4, (n) => guess(lena.email, OFFICE, n, String(n).padStart(43, 'x')));
    expect(countOf(invented, 429)).toBe(20);
  });

  it('from a thousand addresses is limited to a hundred attempts per account and hour, without locking out the owner', async () => {
    const nora = await createUser(system.url, admin, { first: 'Nora', role: 'member' });
    const { device } = await expectStatus(enter(nora.email, OFFICE), 200);
    const statuses = await runConcurrently(1_000, 20, (n) => guess(nora.email, `198.18.${n >> 8}.${n & 255}`, n));
    expect(countOf(statuses, 401)).toBe(100);
    expect(countOf(statuses, 429)).toBe(900);
    expect((await enter(nora.email, '203.0.113.9', { device })).status).toBe(200);
  }, 180_000);
});

describe('invitations', () => {
  const invite = (n: number) =>
    admin.call<{ user: string; email: string }>('POST', '/auth/invite', {
      email: `script${n}@example.org`,
      firstName: 'Script',
      lastName: `Number ${n}`,
      role: 'member',
    });

  it('add the user to the list of people within a second', async () => {
    const { user, email } = await expectStatus(invite(500), 201);
    await waitForLive('the invited person to be listed', async () => {
      const { body } = await admin.call<{ data: { _id: string }[] }>('GET', `/users?search=${email}`);
      return body.data.some(({ _id }) => _id === user);
    });
  });

  it('do not count as sign-ins: a script can create five hundred at once', async () => {
    const statuses = await runConcurrently(500, 5, invite);
    expect(countOf(statuses, 201)).toBe(500);
  });
});
