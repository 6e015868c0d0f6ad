import { describe, expect, it } from '@jest/globals';
import { aMember, anEmail, askForReset, bearer, invite, PASSWORD, startAuth, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

/** Fits every rule and is known to everybody who guesses. */
const COMMON = 'P@ssw0rd';
const refusal = (field: string) => {
  const message = 'This password is too common. Please choose another one.';
  return {
    status: 400,
    body: { code: 'validation_failed', message: [message], errors: [{ path: `body.${field}`, message }] },
  };
};

describe('one of the most common passwords', () => {
  it('sets up no workspace', async () => {
    const empty = await startAuth();
    try {
      const body = { email: anEmail(), password: COMMON, firstName: 'Ada', lastName: 'First' };
      expect(await empty.call('POST', '/auth/register', { body })).toMatchObject(refusal('password'));
      expect((await empty.call('POST', '/auth/register', { body: { ...body, password: PASSWORD } })).status).toBe(201);
    } finally {
      await empty.close();
    }
  });

  it('is no password of somebody invited, whose link stays good', async () => {
    const { token } = await invite(service, admin);
    const accept = (password: string) => service.call('POST', '/auth/accept-invite', { body: { token, password } });
    expect(await accept('Password1!')).toMatchObject(refusal('password'));
    expect((await accept(PASSWORD)).status).toBe(201);
  });

  it('is no new password by a link, which stays good', async () => {
    const token = await askForReset(service, await aMember(service, admin));
    const reset = (password: string) => service.call('POST', '/auth/reset-password', { body: { token, password } });
    expect(await reset(COMMON)).toMatchObject(refusal('password'));
    expect((await reset('Another#Horse2')).status).toBe(200);
  });

  it('is no new password in the settings', async () => {
    const member = await aMember(service, admin);
    const change = (newPassword: string) =>
      service.call('POST', '/auth/change-password', {
        headers: bearer(member),
        body: { currentPassword: PASSWORD, newPassword },
      });
    expect(await change(COMMON)).toMatchObject(refusal('newPassword'));
    expect((await change('Another#Horse2')).status).toBe(200);
  });
});
