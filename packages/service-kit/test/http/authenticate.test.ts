import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from '@atrium/service-kit/http/authenticate';
import { buildUser } from '@atrium/test-kit/build-user';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  type JWTVerifyGetKey,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { startTestApp } from '../test-app.ts';

const user = buildUser({ role: 'admin' });
let app: Awaited<ReturnType<typeof startTestApp>>;
let keys: { publicKey: CryptoKey; privateKey: CryptoKey };
beforeAll(async () => {
  keys = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  app = await startTestApp({ keys: await localKeys(keys.publicKey) });
  app.directory.putUser(user);
});
afterAll(() => app.close());

async function localKeys(publicKey: CryptoKey): Promise<JWTVerifyGetKey> {
  return createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'EdDSA', use: 'sig' }] });
}

type TokenParams = {
  header?: Record<string, string>;
  claims?: Record<string, unknown>;
  iss?: string;
  aud?: string;
  sub?: string;
  issuedAt?: number;
  expiresAt?: number;
  key?: CryptoKey;
};

const toSeconds = (ms: number) => ms / 1000;

function sign({ header = {}, claims = {}, ...params }: TokenParams = {}): Promise<string> {
  const issuedAt = params.issuedAt ?? Date.now();
  return new SignJWT({
    role: 'admin',
    sid: 's1',
    iat: toSeconds(issuedAt),
    exp: toSeconds(params.expiresAt ?? issuedAt + 900_000),
    ...claims,
  })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'k', typ: TOKEN_TYPE, ...header })
    .setIssuer(params.iss ?? TOKEN_ISSUER)
    .setAudience(params.aud ?? TOKEN_AUDIENCE)
    .setSubject(params.sub ?? user._id)
    .sign(params.key ?? keys.privateKey);
}

const getStatus = async (token: string | undefined, headers: Record<string, string> = {}) =>
  (await app.call('GET', '/api/notes/mine', { ...(token !== undefined && { token }), headers })).status;

describe('token verification', () => {
  it('accepts a valid token and returns the directory’s role', async () => {
    const token = await sign({ claims: { role: 'member' } });
    const { body } = await app.call('GET', '/api/notes/mine', { token });
    expect(body).toEqual({ caller: user._id, role: 'admin' });
    expect(await getStatus(undefined, { authorization: `bearer ${token}` })).toBe(200);
  });

  it('rejects a missing token', async () => {
    expect(await getStatus(undefined)).toBe(401);
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', await sign()]) {
      expect([authorization, await getStatus(undefined, { authorization })]).toEqual([authorization, 401]);
    }
  });

  it.each([
    'x',
    'a.b.c',
    '..',
    'eyJhbGciOiJFZERTQSJ9.e30.',
    'null',
    'eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ.bm90IGpzb24.AAAA',
  ])('rejects garbage: %s', async (token) => {
    expect(await getStatus(token)).toBe(401);
  });

  it('rejects an expired token, even if it was accepted before', async () => {
    expect(await getStatus(await sign({ issuedAt: Date.now() - 1_000_000, expiresAt: Date.now() - 100_000 }))).toBe(
      401,
    );
    const token = await sign({ expiresAt: Date.now() + 1_200 });
    expect(await getStatus(token)).toBe(200);
    await waitFor(async () => (await getStatus(token)) === 401, { description: 'the token to expire' });
  });

  it.each<[string, () => TokenParams | Promise<TokenParams>]>([
    ['a different issuer', () => ({ iss: 'other-issuer' })],
    ['a different audience', () => ({ aud: 'another-api' })],
    ['a different type, such as an invitation', () => ({ header: { typ: 'JWT' } })],
    ['an unknown key', () => ({ header: { kid: 'other' } })],
    [
      'a different key under the known name',
      async () => ({ key: (await generateKeyPair('EdDSA', { crv: 'Ed25519' })).privateKey }),
    ],
    ['no user', () => ({ sub: '' })],
    ['no session', () => ({ claims: { sid: undefined } })],
    ['a session that is not a string', () => ({ claims: { sid: 5 } })],
    ['no expiry', () => ({ claims: { exp: undefined } })],
    ['an unknown user', () => ({ sub: 'f'.repeat(24), issuedAt: Date.now() - 60_000 })],
    ['a start in the future', () => ({ claims: { nbf: toSeconds(Date.now() + 60_000) } })],
  ])('rejects a token with %s', async (_description, buildParams) => {
    expect(await getStatus(await sign(await buildParams()))).toBe(401);
  });

  it('rejects an unsigned token, and one signed with the public key as a secret', async () => {
    const unsigned = new UnsecuredJWT({ sid: 's1' })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(user._id)
      .setIssuedAt()
      .setExpirationTime('15m')
      .encode();
    expect(await getStatus(unsigned)).toBe(401);
    const [, claims, signature] = (await sign()).split('.');
    for (const alg of ['none', 'None', 'HS256', 'ES256']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'k', typ: TOKEN_TYPE })).toString('base64url');
      expect([alg, await getStatus(`${header}.${claims}.${signature}`)]).toEqual([alg, 401]);
      expect([alg, await getStatus(`${header}.${claims}.`)]).toEqual([alg, 401]);
    }
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)));
    const keyConfusionToken = await new SignJWT({ sid: 's1' })
      .setProtectedHeader({ alg: 'HS256', kid: 'k', typ: TOKEN_TYPE })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(user._id)
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(secret);
    expect(await getStatus(keyConfusionToken)).toBe(401);
  });

  it('rejects changed claims with the old signature', async () => {
    const [header, claims, signature] = (await sign()).split('.');
    const changed = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...changed, sub: 'f'.repeat(24) })).toString('base64url');
    expect(await getStatus(`${header}.${forged}.${signature}`)).toBe(401);
  });

  it('verifies a token with an embedded key against the known keys', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const embeddedKey = await exportJWK(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })));
    const token = await new SignJWT({ sid: 's1' })
      .setProtectedHeader({
        alg: 'EdDSA',
        typ: TOKEN_TYPE,
        jwk: { kty: 'OKP', crv: 'Ed25519', x: String(embeddedKey.x) },
      })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(user._id)
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(privateKey);
    expect(await getStatus(token)).toBe(401);
  });
});

describe('a token that was accepted', () => {
  it('is rejected as soon as its session ends, unlike a token of a different session', async () => {
    const endingToken = await sign({ claims: { sid: 'ends' } });
    const otherToken = await sign({ claims: { sid: 'stays' } });
    expect([await getStatus(endingToken), await getStatus(otherToken)]).toEqual([200, 200]);
    app.revocations.add('ends');
    expect([await getStatus(endingToken), await getStatus(otherToken)]).toEqual([401, 200]);
  });

  it('is rejected once all sessions of its user have ended, unlike a newer one', async () => {
    const someUser = buildUser();
    app.directory.putUser(someUser);
    const oldToken = await sign({ sub: someUser._id, issuedAt: Date.now() - 5_000 });
    expect(await getStatus(oldToken)).toBe(200);
    app.directory.putUser({ ...someUser, version: 2, sessionsValidAfter: Date.now() - 1_000 });
    expect(await getStatus(oldToken)).toBe(401);
    expect(await getStatus(await sign({ sub: someUser._id }))).toBe(200);
  });

  it.each([
    ['inactive', { status: 'inactive' as const, sessionsValidAfter: 1 }],
    ['deleted', { deleted: true }],
  ])('is rejected once its user is %s', async (_state, change) => {
    const someUser = buildUser();
    app.directory.putUser(someUser);
    const token = await sign({ sub: someUser._id, issuedAt: Date.now() - 60_000 });
    expect(await getStatus(token)).toBe(200);
    app.directory.putUser({ ...someUser, version: 2, ...change });
    expect(await getStatus(token)).toBe(401);
  });
});

describe('a token whose user may not be in the directory yet', () => {
  it('waits until the directory has the user', async () => {
    const newcomer = buildUser();
    const pendingStatus = getStatus(await sign({ sub: newcomer._id }));
    app.directory.putUser({ ...newcomer, status: 'inactive' });
    app.directory.putUser({ ...newcomer, version: 2 });
    expect(await pendingStatus).toBe(200);
  });

  it('responds 503 instead of 401 while the user is only known as invited', async () => {
    const newcomer = buildUser({ status: 'inactive', sessionsValidAfter: 0 });
    app.directory.putUser(newcomer);
    for (const issuedAt of [Date.now(), Date.now() - 60_000]) {
      const response = await app.call('GET', '/api/notes/mine', { token: await sign({ sub: newcomer._id, issuedAt }) });
      expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    }
  });

  it('is rejected within seconds if the user does not arrive', async () => {
    const start = performance.now();
    expect(await getStatus(await sign({ sub: buildUser()._id }))).toBe(401);
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});

describe('unavailable signing keys', () => {
  it('respond 503 instead of 401, so that no user is signed out', async () => {
    const failing: JWTVerifyGetKey[] = [
      () => Promise.reject(new errors.JWKSTimeout()),
      createRemoteJWKSet(new URL('http://127.0.0.1:1/keys'), { timeoutDuration: 500 }),
    ];
    for (const keySet of failing) {
      const testApp = await startTestApp({ keys: keySet });
      testApp.directory.putUser(user);
      const response = await testApp.call('GET', '/api/notes/mine', { token: await sign() });
      expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      await testApp.close();
    }
  });
});
