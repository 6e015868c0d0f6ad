import { createECDH, randomBytes, randomInt } from 'node:crypto';
import { services } from '@atrium/dev-server/system/services';
import { natsUsers } from '@atrium/proto-events/nats-users';

export type Values = Readonly<Record<string, string>>;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHANUMERIC = `${LETTERS}0123456789`;

/**
 * Creates text that needs no escaping in URLs, shells, and the NATS configuration. NATS requires a letter at its start.
 */
const randomToken = (length: number): string =>
  Array.from({ length }, (_, index) =>
    index === 0 ? LETTERS[randomInt(LETTERS.length)] : ALPHANUMERIC[randomInt(ALPHANUMERIC.length)],
  ).join('');

export const makePassword = (): string => randomToken(40);

/** Creates a private key of P-256, padded to 32 bytes. */
const makePushKey = (): string => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
};

export const toUpper = (name: string): string => name.toUpperCase();

export const databaseServices = services.filter(({ database }) => database !== undefined).map(({ name }) => name);
export const objectUsers = ['documents', 'chat', 'backup'] as const;
export const natsServices = natsUsers('atrium').map(({ user }) => user);

const toPasswordMakers = (names: readonly string[], prefix: string): Record<string, () => string> =>
  Object.fromEntries(names.map((name) => [`${prefix}_${toUpper(name)}_PASSWORD`, makePassword]));

export const secretValues: Readonly<Record<string, () => string>> = {
  SETUP_TOKEN: () => randomToken(32),
  KEY_ENCRYPTION_SECRET: () => randomToken(48),
  LINK_SEALING_KEY: () => randomBytes(32).toString('base64url'),
  VAPID_PRIVATE_KEY: makePushKey,
  POSTGRES_PASSWORD: makePassword,
  ...toPasswordMakers(databaseServices, 'POSTGRES'),
  REDIS_PASSWORD: makePassword,
  MONGO_PASSWORD: makePassword,
  MONGO_NOTIFICATIONS_PASSWORD: makePassword,
  ...toPasswordMakers(['operator', ...natsServices], 'NATS'),
  MINIO_ROOT_USER: () => randomToken(20),
  MINIO_ROOT_PASSWORD: makePassword,
  ...Object.fromEntries(
    objectUsers.map(toUpper).flatMap((name) => [
      [`S3_${name}_ACCESS_KEY`, () => randomToken(20)],
      [`S3_${name}_SECRET_KEY`, makePassword],
    ]),
  ),
  MAILBOX_TOKEN: () => randomToken(32),
};

export const NEXT = '_NEXT';
export const PREVIOUS = '_PREVIOUS';

/** Returns the other valid value during a rotation: the next one, or, after the switch, the previous one. */
export const getSecondValue = (values: Values, name: string): string | undefined =>
  values[`${name}${NEXT}`] ?? values[`${name}${PREVIOUS}`];

/** Returns whether a rotation has switched to the next value and has not ended. */
export const hasSwitched = (values: Values, name: string): boolean => values[`${name}${PREVIOUS}`] !== undefined;
