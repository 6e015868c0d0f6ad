import { expect, it } from '@jest/globals';
import { NAV_ENTRIES } from './nav-entries.ts';
import { getAriaCurrent } from './navigation.tsx';

const highlightedEntries = (pathname: string) =>
  NAV_ENTRIES.flatMap(({ label, to }) => {
    const current = getAriaCurrent({ to }, pathname);
    return current === undefined ? [] : [[label, current]];
  });

it.each([
  ['/', 'Dashboard', 'page'],
  ['/progress/123', 'Progress Tracker', 'page'],
  ['/document-hub', 'Document Hub', 'page'],
  ['/team', 'Dashboard', true],
  ['/activity', 'User Management', true],
])('navigation highlights one entry on %s', (pathname, label, current) => {
  expect(highlightedEntries(pathname)).toEqual([[label, current]]);
});

it('navigation highlights no entry on a screen of the account menu', () => {
  expect(highlightedEntries('/settings')).toEqual([]);
});
