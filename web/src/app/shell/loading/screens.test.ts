import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { findScreen, listNavigationScreens } from './screens.ts';

it.each([
  ['/', 'dashboard'],
  ['/my-work', 'my-work'],
  ['/progress', 'progress'],
  ['/progress-tracker', 'progress'],
  ['/progress/6650a1', 'project'],
  ['/document-hub', 'documents'],
  ['/meetings/calendar', 'meetings'],
])('the screen of %s is %s', (pathname, screen) => {
  expect(findScreen(pathname)).toBe(screen);
});

it('every screen of the navigation has a route module, and only admins have their screens', () => {
  const hasModule = (name: string) => existsSync(join(import.meta.dirname, '../../routes', `${name}.tsx`));
  expect(listNavigationScreens(true).filter((name) => !hasModule(name))).toEqual([]);
  expect(listNavigationScreens(false)).toEqual(['my-work', 'dashboard', 'progress', 'meetings', 'chat', 'documents']);
});
