import type { Role } from '@atrium/proto-events/people';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from '@atrium/service-kit/http/authenticate';
import { SignJWT } from 'jose';
import type { KeyRing } from '../keys/key-ring.ts';

const LIFE_SECONDS = 15 * 60;

/**
 * A 15-minute JWT. `at` is database time, because the clock of a pod may be behind. `iat` has milliseconds, because it is compared with the
 * time at which sessions ended.
 */
export async function signAccessToken(
  keys: KeyRing,
  { userId, role, sessionId, at }: { userId: string; role: Role; sessionId: string; at: Date },
): Promise<string> {
  const { kid, key } = await keys.signer();
  const now = at.getTime() / 1000;
  return new SignJWT({ role, sid: sessionId, iat: now })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: TOKEN_TYPE })
    .setSubject(userId)
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setExpirationTime(Math.floor(now) + LIFE_SECONDS)
    .sign(key);
}
