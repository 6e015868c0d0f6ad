/** @jest-environment jsdom */
import { expect, it } from '@jest/globals';
import { setScreenTitle, setUnreadCount } from './document-title.ts';

it('setUnreadCount shows the count before the title of each screen, and a dot on the icon', () => {
  const icon = document.head.appendChild(document.createElement('link'));
  icon.rel = 'icon';
  setScreenTitle('Team Dashboard');
  expect([document.title, icon.getAttribute('href')]).toEqual(['Team Dashboard · Atrium', '/mark.svg']);
  setUnreadCount(3);
  expect([document.title, icon.getAttribute('href')]).toEqual(['(3) Team Dashboard · Atrium', '/mark-unread.svg']);
  setScreenTitle('Meetings');
  expect(document.title).toBe('(3) Meetings · Atrium');
  setUnreadCount(120);
  expect(document.title).toBe('(99+) Meetings · Atrium');
  setUnreadCount(0);
  expect([document.title, icon.getAttribute('href')]).toEqual(['Meetings · Atrium', '/mark.svg']);
});
