import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readNatsAccess } from './nats-access.ts';

const NATS_URL = 'nats://10.0.0.1:4222, nats://10.0.0.2:4222';
let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nats-access-'));
  file = join(folder, 'ca.pem');
  writeFileSync(file, 'PEM');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('readNatsAccess', () => {
  it('connects anonymously and unencrypted by default', () => {
    expect(readNatsAccess({ NATS_URL })).toEqual({ servers: ['nats://10.0.0.1:4222', 'nats://10.0.0.2:4222'] });
  });

  it('accepts a user with a password, a credentials file, and certificates', () => {
    expect(readNatsAccess({ NATS_URL, NATS_USER: 'chat', NATS_PASSWORD: 'pw' })).toMatchObject({
      user: 'chat',
      pass: 'pw',
    });
    expect(readNatsAccess({ NATS_URL, NATS_USER: 'chat_2', NATS_PASSWORD: 'pw' }, 'chat').user).toBe('chat_2');
    expect(readNatsAccess({ NATS_URL, NATS_PASSWORD: 'pw' }, 'chat')).toMatchObject({ user: 'chat', pass: 'pw' });
    expect(readNatsAccess({ NATS_URL }, 'chat').user).toBeUndefined();
    expect(readNatsAccess({ NATS_URL, NATS_CREDS: file })).toHaveProperty('authenticator');
    const certificates = { NATS_TLS_CA: file, NATS_TLS_CERT: file, NATS_TLS_KEY: file };
    expect(readNatsAccess({ NATS_URL, ...certificates }).tls).toEqual({ ca: 'PEM', cert: 'PEM', key: 'PEM' });
    expect(readNatsAccess({ NATS_URL: 'tls://10.0.0.1:4222' }).tls).toEqual({});
  });

  it('rejects contradictory options and unreadable files with a message', () => {
    const expectRejection = (options: object, text: string) =>
      expect(() => readNatsAccess({ NATS_URL, ...options })).toThrow(text);
    expectRejection({ NATS_PASSWORD: 'pw' }, 'NATS_USER and NATS_PASSWORD must be set together');
    expectRejection({ NATS_USER: 'chat' }, 'NATS_USER and NATS_PASSWORD must be set together');
    expectRejection(
      { NATS_USER: 'chat', NATS_PASSWORD: 'pw', NATS_CREDS: file },
      'NATS_USER and NATS_CREDS cannot be combined',
    );
    expectRejection({ NATS_TLS_CERT: file }, 'NATS_TLS_CERT and NATS_TLS_KEY must be set together');
    expectRejection({ NATS_CREDS: '/nowhere.creds' }, 'Cannot read /nowhere.creds, set by NATS_CREDS');
  });
});
