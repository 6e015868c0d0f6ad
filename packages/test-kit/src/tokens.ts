import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Role } from '@atrium/proto-events/people';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from '@atrium/service-kit/http/authenticate';
import { newId } from '@atrium/service-kit/process/new-id';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JSONWebKeySet, type JWTVerifyGetKey, SignJWT } from 'jose';

export type TestTokens = {
  keys: JWTVerifyGetKey;
  /** The key set as a document, for `serveKeys`. */
  jwks: JSONWebKeySet;
  /** `issuedAt` is in milliseconds since 1970, and now by default. */
  sign(
    user: { _id: string; role: Role },
    options?: { sessionId?: string; issuedAt?: number; lifeSeconds?: number },
  ): Promise<string>;
};

export async function createTestTokens(): Promise<TestTokens> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA', use: 'sig' };
  const jwks = { keys: [jwk] };
  return {
    jwks,
    keys: createLocalJWKSet(jwks),
    sign(user, { sessionId = newId(), issuedAt = Date.now(), lifeSeconds = 900 } = {}) {
      return new SignJWT({ role: user.role, sid: sessionId, iat: issuedAt / 1000 })
        .setProtectedHeader({ alg: 'EdDSA', kid: 'test', typ: TOKEN_TYPE })
        .setSubject(user._id)
        .setIssuer(TOKEN_ISSUER)
        .setAudience(TOKEN_AUDIENCE)
        .setExpirationTime(Math.floor(issuedAt / 1000) + lifeSeconds)
        .sign(privateKey);
    },
  };
}

/**
 * Serves the key set that services verify tokens with, in place of the auth service. Its URL is for `AUTH_JWKS_URL`.
 */
export async function serveKeys(jwks: JSONWebKeySet): Promise<{ url: string; close(): void }> {
  const server = createServer((_req, res) =>
    res.setHeader('content-type', 'application/json').end(JSON.stringify(jwks)),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`, close: () => server.close() };
}
