import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HIGH_LIMITS } from '../workspace/builders.ts';
import { createUser, setUpWorkspace } from '../workspace/workspace.ts';
import { prepareNotifiedWork, waitForNotified } from './notified/notified-work.ts';

const EVENT_COUNT = 320;
/** What is killed before which event. */
const KILLS: Readonly<Record<number, string>> = { 60: 'notifications', 140: 'chat', 220: 'notifications' };

let system: System;

beforeAll(async () => {
  system = await startSystem({ env: HIGH_LIMITS, expectedErrors: [/was ended by SIGKILL/] });
});
afterAll(() => system?.stop());

describe('kill -9 of chat and notifications during work', () => {
  it('leaves no user without a notification, and notifies nobody twice', async () => {
    const admin = await setUpWorkspace(system.url);
    const users = [];
    for (const first of ['Anna', 'Bela', 'Cora', 'Dora'])
      users.push(await createUser(system.url, admin, { first, role: 'member' }));
    const { perform, countNotified } = prepareNotifiedWork(users, system.url);
    const expected = await perform(EVENT_COUNT, (index) => {
      const killed = KILLS[index];
      if (killed !== undefined) system.kill(killed, 'SIGKILL');
    });
    await waitForNotified(countNotified, expected, { timeoutMs: 240_000, intervalMs: 500 });
    expect(await countNotified()).toEqual(expected);
  }, 600_000);
});
