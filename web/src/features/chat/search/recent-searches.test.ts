import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { hasDrafts } from '#lib/forms/drafts.ts';
import { signOut, startSession } from '#lib/session/session.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { listRecentSearches, recordSearch } from './recent-searches.ts';

const me = buildUser('a');
let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  localStorage.clear();
  ({ stop } = await startApi(() => ({ status: 200, body: {} })));
  startSession();
  act(() => signInAs(me));
});

afterEach(() => stop());

it('the last five searches are listed, latest first and once each', () => {
  for (const query of ['a', 'b', 'c', 'd', 'e', 'f', 'b']) recordSearch(me._id, query);
  expect(listRecentSearches(me._id)).toEqual(['b', 'f', 'e', 'd', 'c']);
});

it('signing out deletes the searches without a question', async () => {
  recordSearch(me._id, 'salary of Ann');
  expect(hasDrafts()).toBe(false);
  await act(signOut);
  expect(Object.values(localStorage).join()).not.toContain('salary');
  act(() => signInAs(me));
  expect(listRecentSearches(me._id)).toEqual([]);
});
