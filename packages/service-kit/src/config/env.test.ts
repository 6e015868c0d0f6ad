import { describe, expect, it } from '@jest/globals';
import { baseEnv, postgresEnv, readEnv } from './env.ts';

const VALID = { PORT: '4000', NATS_URL: 'nats://127.0.0.1:4222', DATABASE_URL: 'postgres://127.0.0.1/x' };

function readError(source: NodeJS.ProcessEnv): string {
  try {
    readEnv(postgresEnv, source);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'no error';
}

describe('readEnv', () => {
  it('applies defaults and parses types', () => {
    expect(readEnv(postgresEnv, VALID)).toEqual({
      PORT: 4000,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      NATS_URL: 'nats://127.0.0.1:4222',
      NATS_PREFIX: 'atrium',
      NATS_REPLICAS: 1,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
      DRAIN_SECONDS: 0,
      DIRECTORY_MAX_AGE_SECONDS: 300,
      SHUTDOWN_TIMEOUT_SECONDS: 20,
      TRUSTED_PROXIES: [],
      DATABASE_URL: 'postgres://127.0.0.1/x',
      DATABASE_POOL_SIZE: 10,
      MIGRATIONS: 'run',
    });
  });

  it('reports every error in one message, by variable name', () => {
    const text = readError({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      NATS_PREFIX: 'a.b',
      AUTH_JWKS_URL: 'nowhere',
      DATABASE_POOL_SIZE: '1',
    });
    expect(text).toMatch(/^The configuration has 7 error\(s\):\n/);
    for (const name of ['PORT', 'LOG_LEVEL', 'NATS_PREFIX', 'AUTH_JWKS_URL', 'DATABASE_POOL_SIZE']) {
      expect(text).toMatch(new RegExp(`^ {2}${name}: (?!is missing)`, 'm'));
    }
    for (const name of ['NATS_URL', 'DATABASE_URL']) expect(text).toContain(`  ${name}: is missing`);
  });

  it('treats an empty variable as absent', () => {
    expect(readError({ ...VALID, DATABASE_URL: '' })).toContain('DATABASE_URL: is missing');
    expect(readEnv(baseEnv, { ...VALID, LOG_LEVEL: '' }).LOG_LEVEL).toBe('info');
  });

  it('rejects credentials in NATS_URL, which would be ignored', () => {
    const text = readError({ ...VALID, NATS_URL: 'nats://10.0.0.1:4222,nats://svc:pw@10.0.0.5:4222' });
    expect(text).toContain('NATS_URL: must hold no credentials');
    expect(text).not.toContain('svc');
  });

  it('reports an invalid variable without its value, which may be a secret', () => {
    expect(readError({ ...VALID, PORT: 'hunter2' })).not.toContain('hunter2');
  });
});
