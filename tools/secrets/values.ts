import { randomBytes, randomInt } from 'node:crypto';
import { services } from '@atrium/dev-server/system/services';
import { natsUsers } from '@atrium/proto-events/nats-users';

/** Values by the names that they have in `deploy/.env`. */
export type Values = Readonly<Record<string, string>>;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SIGNS = `${LETTERS}0123456789`;

/** A random word that needs no escaping in an address, a shell or a configuration of NATS, where it must begin with a letter. */
const word = (length: number): string =>
  Array.from({ length }, (_, index) =>
    index === 0 ? LETTERS[randomInt(LETTERS.length)] : SIGNS[randomInt(SIGNS.length)],
  ).join('');

/** A password that needs no escaping anywhere. */
export const makePassword = (): string => word(40);

/** A service's name within the name of a value. */
export const upper = (name: string): string => name.toUpperCase();

/** The services with a PostgreSQL database of their own. */
export const databaseServices = services.filter(({ database }) => database !== undefined).map(({ name }) => name);
/** The users of the object store, each with a pair of keys. */
export const objectUsers = ['documents', 'chat', 'backup'] as const;
/** Who is known to NATS besides the operator. */
export const natsServices = natsUsers('atrium').map(({ user }) => user);

const ofEach = (names: readonly string[], prefix: string): Record<string, () => string> =>
  Object.fromEntries(names.map((name) => [`${prefix}_${upper(name)}_PASSWORD`, makePassword]));

/** Every value that an installation needs, and how it is made. */
export const secretValues: Readonly<Record<string, () => string>> = {
  SETUP_TOKEN: () => word(32),
  KEY_ENCRYPTION_SECRET: () => word(48),
  LINK_SEALING_KEY: () => randomBytes(32).toString('base64url'),
  POSTGRES_PASSWORD: makePassword,
  ...ofEach(databaseServices, 'POSTGRES'),
  REDIS_PASSWORD: makePassword,
  MONGO_PASSWORD: makePassword,
  MONGO_NOTIFICATIONS_PASSWORD: makePassword,
  ...ofEach(['operator', ...natsServices], 'NATS'),
  MINIO_ROOT_USER: () => word(20),
  MINIO_ROOT_PASSWORD: makePassword,
  ...Object.fromEntries(
    objectUsers.map(upper).flatMap((name) => [
      [`S3_${name}_ACCESS_KEY`, () => word(20)],
      [`S3_${name}_SECRET_KEY`, makePassword],
    ]),
  ),
  MAILBOX_TOKEN: () => word(32),
};
