import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Client, demand, join, PASSWORD, send, setUp } from '../flows/workspace.ts';
import type { Attack } from './attacks/attack.ts';
import { browserHeaders } from './attacks/browser-headers.ts';
import { deepJson } from './attacks/deep-json.ts';
import { forwardedPorts } from './attacks/forwarded-addresses.ts';
import { protocolOffers } from './attacks/protocol-offers.ts';
import { slowDocument, slowMarks, slowPath, slowReports } from './attacks/slow-texts.ts';
import { upperCase } from './attacks/upper-case.ts';

/** Each is a file in `attacks/`; a new one needs a line here. */
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

/** Signs in as from an address of the internet, which the gateway believes here. */
const enter = (email: string, from: string, given: { password?: string; device?: string | undefined } = {}) =>
  send<{ device: string }>(`${system.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password: PASSWORD, ...given }),
  });
const guess = (email: string, from: string, n: number, device?: string) =>
  enter(email, from, { password: `Wrong#Guess${n}`, device });

/** Makes calls, so many at once. */
async function inTurns(
  count: number,
  atOnce: number,
  call: (n: number) => Promise<Answer<unknown>>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let from = 0; from < count; from += atOnce) {
    const calls = Array.from({ length: Math.min(atOnce, count - from) }, (_, n) => call(from + n));
    statuses.push(...(await Promise.all(calls)).map(({ status }) => status));
  }
  return statuses;
}

const countOf = (statuses: number[], status: number) => statuses.filter((given) => given === status).length;

beforeAll(async () => {
  system = await startSystem({ env: { TRUSTED_PROXIES: '127.0.0.1' }, provokes: [/a browser met a fault/] });
  admin = await setUp(system.url);
}, 600_000);
afterAll(() => system?.stop(), 90_000);

describe('an attack', () => {
  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))('%s', async (_name, attack) => {
    await attack.run({ url: system.url, admin });
  });
});

describe('somebody who guesses passwords', () => {
  it('at an office’s address has ten tries for an account, and nobody who was there before is kept out', async () => {
    const lena = await join(system.url, admin, { first: 'Lena', role: 'member' });
    const jonas = await join(system.url, admin, { first: 'Jonas', role: 'member' });
    const { device } = await demand(enter(lena.email, OFFICE), 200);
    const statuses = await inTurns(40, 8, (n) => guess(lena.email, OFFICE, n));
    expect(countOf(statuses, 401)).toBe(10);
    expect(countOf(statuses, 429)).toBe(30);
    expect((await enter(lena.email, OFFICE, { device })).status).toBe(200);
    expect((await enter(jonas.email, OFFICE)).status).toBe(200);
    // Inventing devices, one for each guess, brings no more of them.
    const invented = await inTurns(20, 4, (n) => guess(lena.email, OFFICE, n, String(n).padStart(43, 'x')));
    expect(countOf(invented, 429)).toBe(20);
  });

  it('from a thousand addresses has a hundred tries an hour for an account, whose owner comes in all the same', async () => {
    const nora = await join(system.url, admin, { first: 'Nora', role: 'member' });
    const { device } = await demand(enter(nora.email, OFFICE), 200);
    const statuses = await inTurns(1_000, 20, (n) => guess(nora.email, `198.18.${n >> 8}.${n & 255}`, n));
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

  it('put somebody into the list of people within a second', async () => {
    const { user, email } = await demand(invite(500), 201);
    const answered = performance.now();
    await waitFor(
      async () => {
        const { body } = await admin.call<{ data: { _id: string }[] }>('GET', `/users?search=${email}`);
        return body.data.some(({ _id }) => _id === user);
      },
      { what: 'the invited person to be listed' },
    );
    expect(performance.now() - answered).toBeLessThan(1_000);
  });

  it('are no sign-ins: a script makes five hundred within a minute', async () => {
    const start = performance.now();
    const statuses = await inTurns(500, 5, invite);
    expect(performance.now() - start).toBeLessThan(60_000);
    expect(countOf(statuses, 201)).toBe(500);
  }, 120_000);
});
