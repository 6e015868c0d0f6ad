import { isInUse } from './rotation-values.ts';
import { databaseServices, upper, type Values } from './values.ts';

const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)([^:@/?#]*):([^@/?#]*)@/;

/** The password of an address, or the text itself where it is none. */
export const passwordIn = (text: string): string => {
  const [, , , password] = CREDENTIALS.exec(text) ?? [];
  return password === undefined ? text : decodeURIComponent(password);
};

/** The same address, or the same kind of word, with another password, which must need no escaping. */
export const withPassword = (text: string, password: string): string =>
  CREDENTIALS.test(text) ? text.replace(CREDENTIALS, (_, scheme, user) => `${scheme}${user}:${password}@`) : password;

/** The user of whom there are two while a password is changed; `chat_2` beside `chat`. */
const asSecondUser = (url: string): string =>
  url.replace(CREDENTIALS, (_, scheme: string, user: string, password: string) => {
    const other = user.endsWith('_2') ? user.slice(0, -2) : `${user}_2`;
    return `${scheme}${other}:${password}@`;
  });

/** What is in the values only where `DATABASE_URL` leads to a pooler: the same database past it. */
export const directUrlOf = (name: string): string => `${upper(name)}_DATABASE_DIRECT_URL`;

/** Addresses that the values give, and in place of those that they do not those of `deploy/backing`, by the password of which they are made. */
const parts = (values: Values): readonly { name: string; url: string | undefined; password?: string }[] => [
  {
    name: 'MONGO_URL',
    url: `mongodb://notifications:${values.MONGO_NOTIFICATIONS_PASSWORD}@mongo:27017/atrium?authSource=admin`,
    password: 'MONGO_NOTIFICATIONS_PASSWORD',
  },
  ...databaseServices.flatMap((name) => {
    const password = `POSTGRES_${upper(name)}_PASSWORD`;
    return [
      {
        name: `${upper(name)}_DATABASE_URL`,
        url: `postgres://atrium_${name}:${values[password]}@postgres:5432/atrium_${name}`,
        password,
      },
      { name: directUrlOf(name), url: undefined },
    ];
  }),
];

/**
 * All values, and the addresses in a cluster of the backing servers that `deploy/backing` brings; what is given replaces them. While a
 * password is changed that of PostgreSQL and MongoDB is a second user's (Redis knows two of one user).
 */
export const addressesOf = (values: Values): Values => ({
  REDIS_URL: `redis://:${values.REDIS_PASSWORD}@redis:6379`,
  SMTP_URL: 'smtp://mailbox:1025',
  ...values,
  ...Object.fromEntries(
    parts(values).flatMap(({ name, url: own, password }) => {
      const given = values[name];
      const url = given ?? own;
      if (url === undefined) return [];
      const isSecond = isInUse(values, given === undefined ? (password ?? name) : name);
      return [[name, isSecond ? asSecondUser(url) : url]];
    }),
  ),
});

/** Whether anybody signs in with a value: not with the password of a server that is not used, as an address of one's own leads elsewhere. */
export const unusedBecauseOf = (values: Values, name: string): string | undefined => {
  const all = [...parts(values), { name: 'REDIS_URL', password: 'REDIS_PASSWORD' }];
  const address = all.find(({ password }) => password === name)?.name ?? '';
  const given = values[address];
  return given !== undefined && passwordIn(given) !== values[name] ? address : undefined;
};
