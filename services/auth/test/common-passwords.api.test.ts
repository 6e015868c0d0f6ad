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
    const emptyService = await startAuth();
    try {
      const body = { email: buildEmail(), password: COMMON, firstName: 'Ada', lastName: 'First' };
      expect(await emptyService.call('POST', '/auth/register', { body })).toMatchObject(validationError('password'));
      expect(
        (await emptyService.call('POST', '/auth/register', { body: { ...body, password: PASSWORD } })).status,
      ).toBe(201);
    } finally {
      await emptyService.close();
    }
  });

  it('is rejected when accepting an invitation, whose link stays valid', async () => {
    const { token } = await invite(service, admin);
    const acceptWith = (password: string) => service.call('POST', '/auth/accept-invite', { body: { token, password } });
    expect(await acceptWith('Password1!')).toMatchObject(validationError('password'));
    expect((await acceptWith(PASSWORD)).status).toBe(201);
  });

  it('is rejected when resetting a password, whose link stays valid', async () => {
    const token = await requestResetToken(service, await createMember(service, admin));
    const resetWith = (password: string) => service.call('POST', '/auth/reset-password', { body: { token, password } });
    expect(await resetWith(COMMON)).toMatchObject(validationError('password'));
    expect((await resetWith('Another#Horse2')).status).toBe(200);
  });

  it('is rejected when changing a password', async () => {
    const member = await createMember(service, admin);
    const changeTo = (newPassword: string) =>
      service.call('POST', '/auth/change-password', {
        headers: bearer(member),
        body: { currentPassword: PASSWORD, newPassword },
      });
    expect(await changeTo(COMMON)).toMatchObject(validationError('newPassword'));
    expect((await changeTo('Another#Horse2')).status).toBe(200);
  });
});
