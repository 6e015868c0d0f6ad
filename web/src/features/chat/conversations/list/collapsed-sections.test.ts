import { beforeEach, expect, it } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { clearTokens } from '#lib/api/tokens.ts';
import { startSession } from '#lib/session/session.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { toggleCollapsed, useCollapsedSections } from './collapsed-sections.ts';

const SECTION = 'own:Job offers';

beforeEach(() => {
  localStorage.clear();
  startSession();
  act(() => signInAs(buildUser('a')));
});

it('a user finds their collapsed sections again after the session expired, and another user does not', () => {
  const { result } = renderHook(useCollapsedSections);
  act(() => toggleCollapsed(SECTION));
  expect(result.current).toEqual([SECTION]);
  act(() => clearTokens());
  act(() => signInAs(buildUser('b')));
  expect(result.current).toEqual([]);
  act(() => signInAs(buildUser('a')));
  expect(result.current).toEqual([SECTION]);
  act(() => toggleCollapsed(SECTION));
  expect(result.current).toEqual([]);
});

it('signing out deletes the names of collapsed sections from the device', () => {
  act(() => toggleCollapsed(SECTION));
  expect(Object.values(localStorage).join()).toContain('Job offers');
  act(() => clearTokens(true));
  expect(Object.values(localStorage).join()).not.toContain('Job offers');
});
