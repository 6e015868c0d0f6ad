import type { Role } from '@atrium/proto-events/people';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from '@atrium/service-kit/http/authenticate';
import { SignJWT } from 'jose';
import type { KeyRing } from '../keys/key-ring.ts';

const LIFE_SECONDS = 15 * 60;

/** A JWT of 15 minutes; `iat` has milliseconds, because it is compared with the moment at which a person's sessions ended. */
export async function signAccessToken(
  keys: KeyRing,
  { userId, role, sessionId }: { userId: string; role: Role; sessionId: string },
): Promise<string> {
  const { kid, key } = await keys.signer();
  const now = Date.now() / 1000;
  return new SignJWT({ role, sid: sessionId, iat: now })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: TOKEN_TYPE })
    .setSubject(userId)
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setExpirationTime(Math.floor(now) + LIFE_SECONDS)
    .sign(key);
}
