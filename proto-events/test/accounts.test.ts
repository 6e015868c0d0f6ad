import { describe, expect, it } from '@jest/globals';
import { email, optionalPhone, phone } from '../src/fields.ts';
import { loginBody, newPassword, registerBody } from '../src/http/auth.ts';
import { acceptInviteBody, inviteBody } from '../src/http/invitations.ts';
import { sentences } from './sentences.ts';

describe('sign-in', () => {
  it('reports missing fields', () => {
    expect(sentences(loginBody, {})).toEqual(['Email is required', 'Password is required']);
    expect(sentences(loginBody, { email: '', password: '' })).toEqual(
      expect.arrayContaining(['Email is required', 'Password is required']),
    );
  });

  it('requires a simple address and six characters', () => {
    expect(sentences(loginBody, { email: 'nobody', password: '12345' })).toEqual([
      'Please enter a valid email address',
      'Password must be at least 6 characters',
    ]);
    expect(sentences(loginBody, { email: 'a@b.c', password: '123456' })).toEqual([]);
  });

  it('ignores case and surrounding spaces of an address', () => {
    expect(email.parse('  Ada.Lovelace@Example.ORG ')).toBe('ada.lovelace@example.org');
  });

  it.each(['a@b', '@b.c', 'a@.', 'a b@c.d', 'a@b@c.d', 'a@b c.d'])('rejects the address %s', (text) => {
    expect(sentences(email, text)).toEqual(['Please enter a valid email address']);
  });
});

describe('a new password', () => {
  it.each([
    ['Sh0rt!', 'Password must be at least 8 characters long'],
    [`Aa1!${'x'.repeat(97)}`, 'Password must not exceed 100 characters'],
    ['UPPER-CASE1!', 'Password must contain at least one lowercase letter'],
    ['lower-case1!', 'Password must contain at least one uppercase letter'],
    ['No-Digits!', 'Password must contain at least one number'],
    ['NoSpecial1-', 'Password must contain at least one special character (@$!%*?&#)'],
  ])('rejects %s with the reason', (password, message) => {
    expect(sentences(newPassword, password)).toEqual([message]);
  });

  it('can have 8 to 100 characters, with each of the special ones', () => {
    for (const special of '@$!%*?&#') expect(sentences(newPassword, `Abcdef1${special}`)).toEqual([]);
    expect(sentences(newPassword, `Aa1!${'x'.repeat(96)}`)).toEqual([]);
  });

  it('is required', () => {
    expect(sentences(newPassword, undefined)).toEqual(['Password is required']);
  });

  it('has the same rules in registrations and invitations', () => {
    const weakBody = { password: 'weak', token: 't', email: 'a@b.c', firstName: 'A', lastName: 'B' };
    expect(sentences(registerBody, weakBody)).toEqual(sentences(newPassword, 'weak'));
    expect(sentences(acceptInviteBody, weakBody)).toEqual(sentences(newPassword, 'weak'));
  });
});

describe('a phone number', () => {
  it.each(['1', '+1', '491701234567', '+4917012345678901', '1234567890123456'])('can be %s', (number) => {
    expect(sentences(phone, number)).toEqual([]);
  });

  it.each(['0', '+0123', '++49', '49 170', '(030)', 'phone', '12345678901234567', '+12345678901234567', '+'])(
    'cannot be %s',
    (number) => {
      expect(sentences(phone, number)).toEqual(['Please enter a valid phone number']);
      expect(sentences(optionalPhone, number)).toEqual(['Please enter a valid phone number']);
    },
  );

  it('can be empty where it is optional', () => {
    expect(sentences(optionalPhone, '')).toEqual([]);
    expect(sentences(acceptInviteBody, { token: 't', password: 'Abcdef1!' })).toEqual([]);
  });
});

describe('an invitation', () => {
  it('has one of the three roles, and the API does not require a department', () => {
    const body = { email: 'a@b.c', firstName: 'A', lastName: 'B' };
    for (const role of ['admin', 'project_manager', 'member'])
      expect(sentences(inviteBody, { ...body, role })).toEqual([]);
    for (const role of ['owner', 'Admin', '', undefined])
      expect(sentences(inviteBody, { ...body, role })).toHaveLength(1);
    expect(sentences(inviteBody, { ...body, role: 'member', department: 'Engineering' })).toEqual(['Invalid id']);
  });
});
