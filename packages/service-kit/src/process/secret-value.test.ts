import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { keyBytes, nonPlaceholder, secretKey, secretText, secretUrl } from './secret-value.ts';

const errorOf = (answer: { success: boolean; error?: { issues: { message: string }[] } }) =>
  answer.success ? 'none' : (answer.error?.issues[0]?.message ?? '');
const textError = (text: string) => errorOf(secretText().safeParse(text));
const urlError = (url: string) => errorOf(secretUrl.safeParse(url));
const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

describe('a secret', () => {
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
  ])('is refused where it is %s', (text) => {
    expect(textError(text)).toMatch(/is an example or a well-known default/);
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
  ])('is taken where it is somebody’s own, short or long: %s', (text) => {
    expect(textError(text)).toBe('none');
  });

  it('says how long it must be, where it must', () => {
    expect(errorOf(secretText(16).safeParse('hunter2'))).toBe('must have at least 16 characters');
  });
});

describe('a key', () => {
  it('is 32 bytes, and neither equal nor consecutive ones', () => {
    expect(secretKey.parse(encoded(randomBytes(32)))).toHaveLength(32);
    expect(errorOf(secretKey.safeParse(encoded(randomBytes(31))))).toBe('must be 32 bytes in base64url');
    const counting = Uint8Array.from({ length: 32 }, (_, index) => index);
    for (const bytes of [new Uint8Array(32), new Uint8Array(32).fill(7), counting])
      expect(errorOf(secretKey.safeParse(encoded(bytes)))).toMatch(/is an example/);
  });

  it('may be any where it only opens what an earlier one has sealed', () => {
    expect(keyBytes.parse(encoded(new Uint8Array(32)))).toHaveLength(32);
  });
});

describe('an address', () => {
  it.each([
    'postgres://auth:changeme@db:5432/auth',
    'postgres://db/auth?user=auth&password=replace-me',
    'redis://:redis@cache:6379',
    'mongodb://atrium:pass%77ord@one:27017,two:27017/atrium?replicaSet=rs0',
    'smtp://mail:secret@mail:587',
  ])('is refused for the password in it, which is not told: %s', (url) => {
    expect(urlError(url)).toMatch(/^holds a password that is an example/);
  });

  it.each([
    'postgres://postgres@127.0.0.1/atrium',
    'postgres://auth:zxQ1@db:5432/auth',
    'redis://cache:6379',
    'mongodb://atrium:100%@one:27017,two:27017/atrium',
    'smtp://mail.example.org',
  ])('is taken: %s', (url) => {
    expect(urlError(url)).toBe('none');
  });
});

describe('who it is to a store', () => {
  it('may be any word, and not the place where one was to stand', () => {
    for (const name of ['atrium', 'AKIAIOSFODNN7EXAMPLE', 'documents'])
      expect(nonPlaceholder.safeParse(name).success).toBe(true);
    for (const name of ['', 'replace-me', 'change_me', '<access key>'])
      expect(nonPlaceholder.safeParse(name).success).toBe(false);
  });
});
