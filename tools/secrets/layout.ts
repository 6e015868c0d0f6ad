import { gatewayNeeds, services } from '@atrium/local/system/services';
import { databaseServices, natsServices, type Values } from './values.ts';

/** The content of each Secret by its name. */
export type Secrets = Record<string, Record<string, string>>;

const upper = (name: string): string => name.toUpperCase();
/** What is in the values only where `DATABASE_URL` leads to a pooler: the same database past it. */
const directUrlOf = (name: string): string => `${upper(name)}_DATABASE_DIRECT_URL`;
const isThere = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;

/** Addresses in a cluster of the backing servers that `deploy/backing` brings; what is given replaces them. */
const addressesOf = (values: Values): Values => ({
  REDIS_URL: `redis://:${values.REDIS_PASSWORD}@redis:6379`,
  MONGO_URL: `mongodb://atrium:${values.MONGO_PASSWORD}@mongo:27017/atrium?authSource=admin`,
  SMTP_URL: 'smtp://mailbox:1025',
  ...Object.fromEntries(
    databaseServices.map((name) => {
      const secret = values[`POSTGRES_${upper(name)}_PASSWORD`];
      return [`${upper(name)}_DATABASE_URL`, `postgres://atrium_${name}:${secret}@postgres:5432/atrium_${name}`];
    }),
  ),
  ...values,
});

/** What is secret of all that a process may be told; the rest stands in the ConfigMap. */
const SECRET = [
  'KEY_ENCRYPTION_SECRET',
  'LINK_SEALING_KEY',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'REDIS_URL',
  'MONGO_URL',
  'SMTP_URL',
];
/** What is not among the launcher's needs, because a start on loopback has no use for it. */
const FURTHER: Readonly<Record<string, readonly string[]>> = { auth: ['SETUP_TOKEN'] };

const ofProcess = (name: string, needs: readonly string[], known: Values): Record<string, string> => {
  const keys = [...needs.filter((key) => SECRET.includes(key)), ...(FURTHER[name] ?? [])];
  // A value of before stands beside its successor under the same name and `_PREVIOUS`.
  const pairs: [string, string | undefined][] = keys
    .flatMap((key) => [key, `${key}_PREVIOUS`])
    .map((key) => [key, known[key]]);
  return Object.fromEntries(
    [
      ['DATABASE_URL', known[`${upper(name)}_DATABASE_URL`]] satisfies [string, string | undefined],
      ['DATABASE_DIRECT_URL', known[directUrlOf(name)]] satisfies [string, string | undefined],
      // Pods of 74d7854 and before ask for both; those of today have the name of the service from themselves.
      ['NATS_USER', natsServices.includes(name) ? name : undefined] satisfies [string, string | undefined],
      ['NATS_PASSWORD', known[`NATS_${upper(name)}_PASSWORD`]] satisfies [string, string | undefined],
      ...pairs,
    ].filter(isThere),
  );
};

const pick = (values: Values, names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([key, name]) => [key, values[name] ?? '']));

const passwordsOf = (names: readonly string[], key: (name: string) => string, value: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [key(upper(name)), value(upper(name))]));

/**
 * The Secrets of an installation: one for each service with the variables that it reads, and one for each backing server with what it
 * asks for. A password that two must know is the same value in both.
 */
export const secretsOf = (values: Values): Secrets => {
  const known = addressesOf(values);
  const rows = [...services, { name: 'gateway', needs: gatewayNeeds }];
  return {
    ...Object.fromEntries(rows.map(({ name, needs }) => [`atrium-${name}`, ofProcess(name, needs, known)])),
    'atrium-postgres': pick(values, {
      POSTGRES_PASSWORD: 'POSTGRES_PASSWORD',
      ...passwordsOf(
        databaseServices,
        (name) => `${name}_PASSWORD`,
        (name) => `POSTGRES_${name}_PASSWORD`,
      ),
    }),
    'atrium-redis': pick(values, { REDIS_PASSWORD: 'REDIS_PASSWORD' }),
    'atrium-mongo': pick(values, { MONGO_INITDB_ROOT_PASSWORD: 'MONGO_PASSWORD' }),
    'atrium-nats': pick(
      values,
      passwordsOf(
        ['operator', ...natsServices],
        (name) => `NATS_${name}_PASSWORD`,
        (name) => `NATS_${name}_PASSWORD`,
      ),
    ),
    'atrium-objects': pick(values, {
      MINIO_ROOT_USER: 'MINIO_ROOT_USER',
      MINIO_ROOT_PASSWORD: 'MINIO_ROOT_PASSWORD',
      S3_ACCESS_KEY: 'S3_ACCESS_KEY',
      S3_SECRET_KEY: 'S3_SECRET_KEY',
    }),
    // Who copies everything may read everything; that of a restore, which opens the signing keys, is auth's alone. A copy is one long
    // transaction with settings of its own, which is nothing for a pooler.
    'atrium-backup': pick(known, {
      ...Object.fromEntries(
        databaseServices.map((name) => {
          const url = `${upper(name)}_DATABASE_URL`;
          return [url, known[directUrlOf(name)] === undefined ? url : directUrlOf(name)];
        }),
      ),
      NATS_PASSWORD: 'NATS_OPERATOR_PASSWORD',
      MONGO_URL: 'MONGO_URL',
      S3_ACCESS_KEY: 'S3_ACCESS_KEY',
      S3_SECRET_KEY: 'S3_SECRET_KEY',
    }),
    'atrium-mailbox': pick(values, { MAILBOX_TOKEN: 'MAILBOX_TOKEN' }),
  };
};

/** A Secret as a manifest. */
export const manifestOf = (name: string, namespace: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'atrium' } },
  type: 'Opaque',
  stringData,
});
