import { expect, it } from '@jest/globals';
import { type ActivityEntry, addressText, subjectText } from './activity.ts';

const entry: ActivityEntry = {
  _id: 'a',
  at: '2026-01-01T00:00:00.000Z',
  action: 'security.sign-in.failed',
  actor: null,
  target: { type: 'user', id: '', title: '' },
  email: 'lena@example.org',
  address: '192.0.2.1',
};

it('activity text shows the address and email of a failed sign-in', () => {
  expect([addressText(entry), subjectText(entry)]).toEqual(['192.0.2.1', 'lena@example.org']);
});

it('activity text shows that a merged entry counts several addresses, accounts, or emails', () => {
  const merged: ActivityEntry = { ...entry, address: null, various: ['email', 'address'] };
  expect([addressText(merged), subjectText(merged)]).toEqual(['Several addresses', 'Several emails']);
  expect(subjectText({ ...merged, various: ['userId', 'email'] })).toBe('Several accounts');
});
