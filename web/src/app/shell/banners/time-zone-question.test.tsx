import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { TimeZoneQuestion } from './time-zone-question.tsx';

const user = buildUser('a', { timezone: 'Europe/Berlin' });
const QUESTION = 'Your time zone is Berlin, but this device is set to New York.';

let saveRequests: unknown[];
let stop: () => Promise<void>;

beforeEach(async () => {
  localStorage.clear();
  saveRequests = [];
  ({ stop } = await startApi(({ method, path, body }) => {
    saveRequests.push({ call: `${method} ${path}`, body });
    return { status: 200, body: { ...user, timezone: 'America/New_York', version: 2 } };
  }));
  act(() => signInAs(user));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function arriveIn(zone: string): void {
  cleanup();
  render(<TimeZoneQuestion deviceZone={zone} />);
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

it('the time zone banner asks once per new zone whether to keep the current one', async () => {
  arriveIn('America/New_York');
  expect(screen.getByText(QUESTION)).toBeTruthy();
  await press('Keep Berlin');
  expect(screen.queryByRole('alert')).toBeNull();
  arriveIn('America/New_York');
  expect(screen.queryByRole('alert')).toBeNull();
  arriveIn('Asia/Tokyo');
  expect(screen.getByRole('button', { name: 'Update to Tokyo' })).toBeTruthy();
  expect(saveRequests).toEqual([]);
});

it('the time zone banner saves the new zone', async () => {
  arriveIn('America/New_York');
  await press('Update to New York');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(saveRequests).toEqual([{ call: 'PATCH /api/users/profile', body: { timezone: 'America/New_York' } }]);
});

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Berlin', 'UTC'],
])('the time zone banner is hidden when the profile has %s and the device %s', (timezone, deviceZone) => {
  act(() => signInAs({ ...user, timezone }));
  arriveIn(deviceZone);
  expect(screen.queryByRole('alert')).toBeNull();
});
