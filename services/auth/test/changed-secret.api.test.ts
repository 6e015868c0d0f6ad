import { aPerson } from '@atrium/test-kit/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import { refresh, type SignedIn, signIn, startProcess, startWithAdmin } from './factories.ts';

const { service, admin } = await startWithAdmin();

it('knows its current token after the secret has changed: nobody is signed out', async () => {
  const session = (await signIn(service, admin.user.email)).body as SignedIn;
  await service.announce(aPerson({ _id: admin.user._id, email: admin.user.email, role: 'admin', version: 2 }));
  const { refreshToken } = (await refresh(service, session.refreshToken)).body as SignedIn;
  const changed = await startProcess({ ...service.env, KEY_ENCRYPTION_SECRET: 'one that was set since' });
  try {
    const renew = async (token: string) => {
      const body = JSON.stringify({ refreshToken: token });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${changed.url}/api/auth/refresh`, { method: 'POST', headers, body });
      return { status: answer.status, body: (await answer.json()) as SignedIn };
    };
    // Its directory has not been read to its end yet.
    const what = 'a renewal at the pod with the new secret';
    const next = await waitFor(async () => (await renew(refreshToken)).body.refreshToken, { what });
    const { body } = await renew(next);
    expect((await renew(next)).body.refreshToken).toBe(body.refreshToken);
    expect((await renew(body.refreshToken)).status).toBe(200);
  } finally {
    await changed.close();
  }
});
