import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { NextFreeTimes } from './availability.tsx';

const FIRST = { people: ['a'.repeat(24)], from: '2030-01-07T09:00:00.000Z', durationMinutes: 60, except: null };
const FREE = { start: '2030-01-07T09:00:00.000Z', end: '2030-01-07T10:00:00.000Z' };

let stop: () => Promise<void>;
/** The first request resolves immediately; later ones wait for this. */
let laterResponse: Promise<void>;
let respondLater: () => void;

beforeEach(async () => {
  laterResponse = new Promise((resolve) => {
    respondLater = resolve;
  });
  let count = 0;
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(async () => {
    count += 1;
    if (count === 1) return { status: 200, body: { data: [FREE], message: null } };
    await laterResponse;
    return { status: 200, body: { data: [], message: 'Nobody is free' } };
  }));
});
afterEach(async () => {
  respondLater();
  cleanup();
  await stop();
});

const times = (search: typeof FIRST) => (
  <SWRConfig value={swrConfig}>
    <NextFreeTimes {...search} onPick={() => undefined} />
  </SWRConfig>
);

it.each<[string, Partial<typeof FIRST>]>([
  ['people', { people: ['a'.repeat(24), 'b'.repeat(24)] }],
  ['length', { durationMinutes: 120 }],
  ['start', { from: '2030-01-08T09:00:00.000Z' }],
])('NextFreeTimes offers no time that was free for a different %s', async (_, other) => {
  const { rerender } = render(times(FIRST));
  await screen.findByRole('button');
  rerender(times({ ...FIRST, ...other }));
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByText('Looking for times when everyone is free…')).toBeTruthy();
  respondLater();
  await screen.findByText('Nobody is free');
});
