import type { Session } from '@atrium/proto-events/http/auth';
import { emailOf, PASSWORD } from '../../simulation/views.ts';
import type { Place } from '../step.ts';

/** An address of documentation (RFC 5737, TEST-NET-3): nobody comes from there. */
const FORGED = '203.0.113.77';

/** Somebody signs in who says to be elsewhere, and the list of their sessions tells whom the product has believed. */
export async function forgeAddress({ office, judge }: Place): Promise<void> {
  const address = await listedAddress(office.base, FORGED);
  judge(`whoever says to come from ${FORGED} comes from ${address}`, address === FORGED ? ['that was believed'] : []);
}

/** The address of a session that was opened with this `X-Forwarded-For`, as the product lists it; the session is ended again. */
export async function listedAddress(base: string, forwardedFor: string): Promise<string> {
  const ask = async <T>(method: string, path: string, { token = '', body = {} } = {}): Promise<T> => {
    const answer = await fetch(`${base}/api${path}`, {
      method,
      headers: {
        'x-forwarded-for': forwardedFor,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  };
  const credentials = { email: emailOf('maya'), password: PASSWORD };
  const { accessToken: token } = await ask<{ accessToken: string }>('POST', '/auth/login', { body: credentials });
  try {
    const { data } = await ask<{ data: Session[] }>('GET', '/auth/sessions?limit=100', { token });
    const address = data.find(({ current }) => current)?.address;
    if (!address) throw new Error('the session has no address');
    return address;
  } finally {
    await ask('POST', '/auth/logout', { token });
  }
}
