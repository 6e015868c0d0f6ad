import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

const VALID_ENV = {
  PORT: '0',
  NATS_URL: 'nats://127.0.0.1:1',
  DATABASE_URL: 'postgres://127.0.0.1:1/auth',
  PUBLIC_URL: 'https://atrium.example.org/',
  KEY_ENCRYPTION_SECRET: 'long enough to be one',
  LINK_SEALING_KEY: randomBytes(32).toString('base64url'),
};

describe('readConfig', () => {
  it('parses a valid environment', () => {
    const config = readConfig({ ...VALID_ENV, TRUSTED_PROXIES: '10.0.0.0/8, ::1' });
    expect(config).toMatchObject({
      PUBLIC_URL: 'https://atrium.example.org',
      REGISTRATION: 'invitation',
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
    });
    expect(config.LINK_SEALING_KEY).toHaveLength(32);
  });

  it('reports all errors together, including missing secrets', () => {
    const invalidEnv = {
      PORT: '0',
      NATS_URL: 'x',
      DATABASE_URL: 'x',
      REGISTRATION: 'maybe',
      TRUSTED_PROXIES: 'everyone',
    };
    expect(() => readConfig({ ...invalidEnv, LINK_SEALING_KEY: 'c2hvcnQ' })).toThrow(
      /TRUSTED_PROXIES[\s\S]*PUBLIC_URL: is missing[\s\S]*REGISTRATION[\s\S]*KEY_ENCRYPTION_SECRET: is missing[\s\S]*LINK_SEALING_KEY: must be 32 bytes/,
    );
  });
});
