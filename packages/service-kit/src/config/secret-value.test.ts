import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { keyBytes, nonPlaceholder, secretKey, secretText, secretUrl } from './secret-value.ts';

const getError = (result: { success: boolean; error?: { issues: { message: string }[] } }) =>
  result.success ? 'none' : (result.error?.issues[0]?.message ?? '');
const getTextError = (text: string) => getError(secretText().safeParse(text));
const getUrlError = (url: string) => getError(secretUrl.safeParse(url));
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

describe('secretText', () => {
  it.each([
    'replace-me',
    'Replace_Me with 32 bytes',
    'changeme',
    'CHANGE-ME!',
    'change this',
    'password',
    'password123',
    'secret',
    'minioadmin',
    'minio123',
    'postgres',
    'my-secret-password',
    'your secret here',
    '<secret>',
    `\${NATS_PASSWORD}`,
    'aaaaaaaaaaaaaaaa',
    '****',
    '12345678',
    'abcdefgh',
    'x',
  ])('rejects %s', (text) => {
    expect(getTextError(text)).toMatch(/is an example or a well-known default/);
  });

  it.each([
    'Tr0ub4dor',
    'hunter2',
    'k7p',
    'correct horse battery staple',
    'changement de programme',
    'password of the third tower, west',
    'your horses are late',
    '1848-1871',
    randomBytes(24).toString('hex'),
  ])('accepts a unique secret, short or long: %s', (text) => {
    expect(getTextError(text)).toBe('none');
  });

  it('reports the minimum length, if there is one', () => {
    expect(getError(secretText(16).safeParse('hunter2'))).toBe('must have at least 16 characters');
  });
});

describe('secretKey and keyBytes', () => {
  it('secretKey accepts only 32 bytes that are neither all equal nor consecutive', () => {
    expect(secretKey.parse(encode(randomBytes(32)))).toHaveLength(32);
    expect(getError(secretKey.safeParse(encode(randomBytes(31))))).toBe('must be 32 bytes in base64url');
    const consecutiveBytes = Uint8Array.from({ length: 32 }, (_, index) => index);
    for (const bytes of [new Uint8Array(32), new Uint8Array(32).fill(7), consecutiveBytes])
      expect(getError(secretKey.safeParse(encode(bytes)))).toMatch(/is an example/);
  });

  it('keyBytes accepts any 32 bytes, such as a key that only unseals old values', () => {
    expect(keyBytes.parse(encode(new Uint8Array(32)))).toHaveLength(32);
  });
});

describe('secretUrl', () => {
  it.each([
    'postgres://auth:changeme@db:5432/auth',
    'postgres://db/auth?user=auth&password=replace-me',
    'redis://:redis@cache:6379',
    'mongodb://atrium:pass%77ord@one:27017,two:27017/atrium?replicaSet=rs0',
    'smtp://mail:secret@mail:587',
  ])('rejects an example password without disclosing it: %s', (url) => {
    expect(getUrlError(url)).toMatch(/^holds a password that is an example/);
  });

  it.each([
    'postgres://postgres@127.0.0.1/atrium',
    'postgres://auth:zxQ1@db:5432/auth',
    'redis://cache:6379',
    'mongodb://atrium:100%@one:27017,two:27017/atrium',
    'smtp://mail.example.org',
  ])('accepts a URL without an example password: %s', (url) => {
    expect(getUrlError(url)).toBe('none');
  });
});

describe('nonPlaceholder', () => {
  it('accepts any text except an empty one or a placeholder', () => {
    for (const name of ['atrium', 'AKIAIOSFODNN7EXAMPLE', 'documents'])
      expect(nonPlaceholder.safeParse(name).success).toBe(true);
    for (const name of ['', 'replace-me', 'change_me', '<access key>'])
      expect(nonPlaceholder.safeParse(name).success).toBe(false);
  });
});
