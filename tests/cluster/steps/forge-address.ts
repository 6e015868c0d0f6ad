import type { Session } from '@atrium/proto-events/http/auth';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import type { StepContext } from '../step.ts';

/** A documentation address (RFC 5737, TEST-NET-3), which no client has. */
const FORGED = '203.0.113.77';

/** Signs in with a forged X-Forwarded-For and checks which address the session list shows. */
export async function checkForgedAddress({ traffic, report }: StepContext): Promise<void> {
  const address = await listedAddress(traffic.base, FORGED);
  report(
    `a client with the forged address ${FORGED} is seen as ${address}`,
    address === FORGED ? ['the forged address was trusted'] : [],
  );
}

/** The address in the session list after a sign-in with this `X-Forwarded-For`. Signs out again. */
async function listedAddress(base: string, forwardedFor: string): Promise<string> {
  const ask = async <T>(method: string, path: string, { token = '', body = {} } = {}): Promise<T> => {
    const response = await fetch(`${base}/api${path}`, {
      method,
      headers: {
        'x-forwarded-for': forwardedFor,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} failed with status ${response.status}: ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  };
  const credentials = { email: demoEmail('maya'), password: DEMO_PASSWORD };
  const { accessToken: token } = await ask<{ accessToken: string }>('POST', '/auth/login', { body: credentials });
  try {
    const { data } = await ask<{ data: Session[] }>('GET', '/auth/sessions?limit=100', { token });
    const address = data.find(({ current }) => current)?.address;
    if (!address) throw new Error('The session has no address');
    return address;
  } finally {
    await ask('POST', '/auth/logout', { token });
  }
}
