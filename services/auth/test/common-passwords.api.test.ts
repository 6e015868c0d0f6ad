import { describe, expect, it } from '@jest/globals';
import {
  bearer,
  buildEmail,
  createMember,
  invite,
  PASSWORD,
  requestResetToken,
  startAuth,
  startWithAdmin,
} from './factories.ts';

const { service, admin } = await startWithAdmin();

/** Satisfies every rule, but is a common password. */
const COMMON = 'P@ssw0rd';
const validationError = (field: string) => {
  const message = 'This password is too common. Please choose another one.';
  return {
    status: 400,
    body: { code: 'validation_failed', message: [message], errors: [{ path: `body.${field}`, message }] },
  };
};

describe('a common password', () => {
  it('is rejected when setting up a workspace', async () => {
    const empty = await startAuth();
    try {
      const body = { email: buildEmail(), password: COMMON, firstName: 'Ada', lastName: 'First' };
      expect(await empty.call('POST', '/auth/register', { body })).toMatchObject(validationError('password'));
      expect((await empty.call('POST', '/auth/register', { body: { ...body, password: PASSWORD } })).status).toBe(201);
    } finally {
      await empty.close();
    }
  });

  it('is rejected when accepting an invitation, whose link stays valid', async () => {
    const { token } = await invite(service, admin);
    const accept = (password: string) => service.call('POST', '/auth/accept-invite', { body: { token, password } });
    expect(await accept('Password1!')).toMatchObject(validationError('password'));
    expect((await accept(PASSWORD)).status).toBe(201);
  });

  it('is rejected when resetting a password, whose link stays valid', async () => {
    const token = await requestResetToken(service, await createMember(service, admin));
    const reset = (password: string) => service.call('POST', '/auth/reset-password', { body: { token, password } });
    expect(await reset(COMMON)).toMatchObject(validationError('password'));
    expect((await reset('Another#Horse2')).status).toBe(200);
  });

  it('is rejected when changing a password', async () => {
    const member = await createMember(service, admin);
    const change = (newPassword: string) =>
      service.call('POST', '/auth/change-password', {
        headers: bearer(member),
        body: { currentPassword: PASSWORD, newPassword },
      });
    expect(await change(COMMON)).toMatchObject(validationError('newPassword'));
    expect((await change('Another#Horse2')).status).toBe(200);
  });
});
