import type { Session } from '@atrium/proto-events/http/auth';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import type { StepContext } from '../step.ts';

/** An address for documentation (RFC 5737, TEST-NET-3), which no client has. */
const FORGED = '203.0.113.77';

/** Signs in with a forged X-Forwarded-For and checks which address the session list shows. */
export async function checkForgedAddress({ traffic, report }: StepContext): Promise<void> {
  const address = await readSessionAddress(traffic.base, FORGED);
  report(
    `a client with the forged address ${FORGED} is seen as ${address}`,
    address === FORGED ? ['the forged address was trusted'] : [],
  );
}

/** Signs in with an `X-Forwarded-For`, returns the address that the session list shows, and signs out. */
async function readSessionAddress(base: string, forwardedFor: string): Promise<string> {
  const sendRequest = async <T>(method: string, path: string, { token = '', body = {} } = {}): Promise<T> => {
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
  const { accessToken: token } = await sendRequest<{ accessToken: string }>('POST', '/auth/login', {
    body: credentials,
  });
  try {
    const { data } = await sendRequest<{ data: Session[] }>('GET', '/auth/sessions?limit=100', { token });
    const address = data.find(({ current }) => current)?.address;
    if (!address) throw new Error('The session has no address');
    return address;
  } finally {
    await sendRequest('POST', '/auth/logout', { token });
  }
}
