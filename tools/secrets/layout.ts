import { gatewaySharedVariables, services } from '@atrium/dev-server/system/services';
import { STREAMS_USER } from '@atrium/proto-events/nats-users';
import { toDirectUrlVariable, withAddresses } from './addresses.ts';
import {
  databaseServices,
  getSecondValue,
  hasSwitched,
  natsServices,
  objectUsers,
  toUpper,
  type Values,
} from './values.ts';

export type Secrets = Record<string, Record<string, string>>;

/** Environment variables in Secrets; all others are in the ConfigMap. */
const SECRET_VARIABLES = [
  'KEY_ENCRYPTION_SECRET',
  'LINK_SEALING_KEY',
  'VAPID_PRIVATE_KEY',
  'REDIS_URL',
  'MONGO_URL',
  'SMTP_URL',
];
const EXTRA_SECRETS: Readonly<Record<string, readonly string[]>> = {
  auth: ['SETUP_TOKEN'],
  notifications: ['REPLIES_IMAP_URL'],
};
/** During a rotation, these processes use both values. */
const DUAL_SECRETS: Readonly<Record<string, readonly string[]>> = {
  auth: ['KEY_ENCRYPTION_SECRET'],
  notifications: ['LINK_SEALING_KEY', 'VAPID_PRIVATE_KEY'],
};

const omitUndefined = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

const getNatsUser = (name: string, values: Values): Record<string, string | undefined> => {
  if (!natsServices.includes(name)) return {};
  const password = `NATS_${toUpper(name)}_PASSWORD`;
  return { NATS_USER: hasSwitched(values, password) ? `${name}_2` : name, NATS_PASSWORD: values[password] };
};

const getObjectKeys = (name: string, values: Values): Record<string, string | undefined> => {
  const user = objectUsers.find((objectUser) => objectUser === name);
  if (user === undefined) return {};
  const prefix = `S3_${toUpper(user)}`;
  return { S3_ACCESS_KEY: values[`${prefix}_ACCESS_KEY`], S3_SECRET_KEY: values[`${prefix}_SECRET_KEY`] };
};

/**
 * Returns the keys for the Job that creates object store users: the current ones, the second ones during a rotation,
 * and those to remove.
 */
const getObjectUserKeys = (values: Values): Record<string, string> =>
  omitUndefined(
    Object.fromEntries(
      objectUsers.map(toUpper).flatMap((name) => {
        const access = `S3_${name}_ACCESS_KEY`;
        const secret = `S3_${name}_SECRET_KEY`;
        return [
          [access, values[access] ?? ''],
          [secret, values[secret] ?? ''],
          [`${access}_PREVIOUS`, getSecondValue(values, access)],
          [`${secret}_PREVIOUS`, getSecondValue(values, secret)],
          [`${access}_CLOSED`, values[`${access}_CLOSED`]],
        ];
      }),
    ),
  );

const getProcessSecret = (name: string, sharedVariables: readonly string[], values: Values): Record<string, string> => {
  const keys = [...sharedVariables.filter((key) => SECRET_VARIABLES.includes(key)), ...(EXTRA_SECRETS[name] ?? [])];
  return omitUndefined({
    DATABASE_URL: values[`${toUpper(name)}_DATABASE_URL`],
    DATABASE_DIRECT_URL: values[toDirectUrlVariable(name)],
    ...getNatsUser(name, values),
    ...getObjectKeys(name, values),
    ...Object.fromEntries(keys.map((key) => [key, values[key]])),
    ...Object.fromEntries(
      (DUAL_SECRETS[name] ?? []).map((secret) => [`${secret}_PREVIOUS`, getSecondValue(values, secret)]),
    ),
  });
};

const pick = (values: Values, names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([key, name]) => [key, values[name] ?? '']));

/** Returns the password of a store's first user, which stays valid until no pod uses the second one. */
const getFirstUserPassword = (values: Values, name: string): string => values[`${name}_PREVIOUS`] ?? values[name] ?? '';

/**
 * During a rotation, the second user has the next password, which becomes the current one. Outside a rotation, it has
 * the first user's password, because the NATS configuration refers to it.
 */
const getNatsPasswords = (values: Values): Record<string, string> =>
  Object.fromEntries(
    natsServices.map(toUpper).flatMap((name) => {
      const password = `NATS_${name}_PASSWORD`;
      return [
        [password, getFirstUserPassword(values, password)],
        [`NATS_${name}_2_PASSWORD`, values[`${password}_NEXT`] ?? values[password] ?? ''],
      ];
    }),
  );

/** A password shared by two processes is the same in both Secrets. */
export const buildSecrets = (values: Values): Secrets => {
  const allValues = withAddresses(values);
  const processes = [...services, { name: 'gateway', sharedVariables: gatewaySharedVariables }];
  return {
    ...Object.fromEntries(
      processes.map(({ name, sharedVariables }) => [
        `atrium-${name}`,
        getProcessSecret(name, sharedVariables, allValues),
      ]),
    ),
    'atrium-streams': omitUndefined(getNatsUser(STREAMS_USER, values)),
    'atrium-postgres': {
      ...pick(values, { POSTGRES_PASSWORD: 'POSTGRES_PASSWORD' }),
      ...Object.fromEntries(
        databaseServices
          .map(toUpper)
          .map((name) => [`${name}_PASSWORD`, getFirstUserPassword(values, `POSTGRES_${name}_PASSWORD`)]),
      ),
    },
    'atrium-redis': pick(values, { REDIS_PASSWORD: 'REDIS_PASSWORD' }),
    'atrium-mongo': {
      ...pick(values, { MONGO_INITDB_ROOT_PASSWORD: 'MONGO_PASSWORD' }),
      NOTIFICATIONS_PASSWORD: getFirstUserPassword(values, 'MONGO_NOTIFICATIONS_PASSWORD'),
    },
    'atrium-nats': {
      ...pick(values, { NATS_OPERATOR_PASSWORD: 'NATS_OPERATOR_PASSWORD' }),
      ...getNatsPasswords(values),
    },
    'atrium-objects': {
      ...pick(values, {
        MINIO_ROOT_USER: 'MINIO_ROOT_USER',
        MINIO_ROOT_PASSWORD: 'MINIO_ROOT_PASSWORD',
      }),
      ...getObjectUserKeys(values),
    },
    // Backups read every database. Restores also use the auth service's Secret, which decrypts signing keys. A backup is one
    // long transaction with its own settings, so it bypasses connection poolers.
    'atrium-backup': pick(allValues, {
      ...Object.fromEntries(
        databaseServices.map((name) => {
          const url = `${toUpper(name)}_DATABASE_URL`;
          return [url, allValues[toDirectUrlVariable(name)] === undefined ? url : toDirectUrlVariable(name)];
        }),
      ),
      NATS_PASSWORD: 'NATS_OPERATOR_PASSWORD',
      MONGO_URL: 'MONGO_URL',
      S3_ACCESS_KEY: 'S3_BACKUP_ACCESS_KEY',
      S3_SECRET_KEY: 'S3_BACKUP_SECRET_KEY',
    }),
    'atrium-mailbox': pick(values, { MAILBOX_TOKEN: 'MAILBOX_TOKEN' }),
  };
};

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * Uses `data`, because removed keys of `stringData` would stay in the cluster, and a server-side apply would not detect
 * values that were changed there.
 */
export const buildManifest = (name: string, namespace: string, content: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'atrium' } },
  type: 'Opaque',
  data: Object.fromEntries(Object.entries(content).map(([key, value]) => [key, toBase64(value)])),
});
