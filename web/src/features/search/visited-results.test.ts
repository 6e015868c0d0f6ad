import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { signOut, startSession } from '#lib/session/session.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { listVisited, recordVisit } from './visited-results.ts';

const ada = buildUser('a');
const DAY_MS = 86_400_000;

let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  localStorage.clear();
  ({ stop } = await startApi(() => ({ status: 200, body: {} })));
  startSession();
  act(() => signInAs(ada));
});

afterEach(() => stop());

const visit = (name: string) => recordVisit(ada._id, { to: `/${name}`, name });
const names = (now?: number) => listVisited(ada._id, now).map(({ name }) => name);

it('lists frequent results before others, and recent ones before those of last month', () => {
  for (const name of ['often', 'often', 'once']) visit(name);
  expect(names()).toEqual(['often', 'once']);
  expect(listVisited(ada._id, Date.now() + 30 * DAY_MS).map(({ to }) => to)).toEqual(['/often', '/once']);
});

it('keeps a limited number of results', () => {
  for (let number = 0; number < 40; number += 1) visit(`page-${number}`);
  expect(names()).toHaveLength(30);
});

it('is empty for another user, and after signing out', async () => {
  visit('mine');
  expect(listVisited('b'.repeat(24))).toEqual([]);
  await act(signOut);
  act(() => signInAs(ada));
  expect(names()).toEqual([]);
});
