import { readFileSync } from 'node:fs';
import { type ConnectionOptions, credsAuthenticator } from '@nats-io/transport-node';
import type { BaseConfig } from '../config/env.ts';

type AccessConfig = Pick<BaseConfig, 'NATS_URL'> &
  Partial<
    Pick<BaseConfig, 'NATS_USER' | 'NATS_PASSWORD' | 'NATS_CREDS' | 'NATS_TLS_CA' | 'NATS_TLS_CERT' | 'NATS_TLS_KEY'>
  >;

export type NatsAccess = Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'authenticator' | 'tls'>;

/**
 * Reads the configuration and its files. A password without a user belongs to the user `name`. Throws on contradictory
 * options and unreadable files.
 */
export function readNatsAccess(config: AccessConfig, name?: string): NatsAccess {
  const { NATS_URL: urls, NATS_PASSWORD: password, NATS_CREDS: creds } = config;
  const user = config.NATS_USER ?? (password === undefined ? undefined : name);
  if ((user === undefined) !== (password === undefined))
    throw new Error('NATS_USER and NATS_PASSWORD must be set together');
  if (user !== undefined && creds !== undefined) throw new Error('NATS_USER and NATS_CREDS cannot be combined');
  const tls = readTls(config);
  return {
    servers: urls.split(',').map((url) => url.trim()),
    ...(user !== undefined && password !== undefined ? { user, pass: password } : {}),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(readConfiguredFile('NATS_CREDS', creds)) }),
    ...(tls ? { tls } : {}),
  };
}

function readTls(config: AccessConfig): ConnectionOptions['tls'] | undefined {
  const { NATS_TLS_CA: ca, NATS_TLS_CERT: cert, NATS_TLS_KEY: key } = config;
  if ((cert === undefined) !== (key === undefined))
    throw new Error('NATS_TLS_CERT and NATS_TLS_KEY must be set together');
  const usesTls = config.NATS_URL.includes('tls://') || ca !== undefined || cert !== undefined;
  if (!usesTls) return undefined;
  const readText = (variable: string, file: string) => new TextDecoder().decode(readConfiguredFile(variable, file));
  return {
    ...(ca === undefined ? {} : { ca: readText('NATS_TLS_CA', ca) }),
    ...(cert === undefined ? {} : { cert: readText('NATS_TLS_CERT', cert) }),
    ...(key === undefined ? {} : { key: readText('NATS_TLS_KEY', key) }),
  };
}

function readConfiguredFile(variable: string, file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Error(`Cannot read ${file}, set by ${variable}`, { cause });
  }
}
