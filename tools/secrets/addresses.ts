import { databaseServices, hasSwitched, toUpper, type Values } from './values.ts';

const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)([^:@/?#]*):([^@/?#]*)@/;

export const passwordIn = (text: string): string => {
  const [, , , password] = CREDENTIALS.exec(text) ?? [];
  return password === undefined ? text : decodeURIComponent(password);
};

/** Replaces the password in a URL, or the whole text if it is no URL. The new password must not need escaping. */
export const withPassword = (text: string, password: string): string =>
  CREDENTIALS.test(text) ? text.replace(CREDENTIALS, (_, scheme, user) => `${scheme}${user}:${password}@`) : password;

/** Replaces the user in a URL with the second one, which exists during a rotation: `chat_2` for `chat`. */
const withSecondUser = (url: string): string =>
  url.replace(CREDENTIALS, (_, scheme: string, user: string, password: string) => {
    const secondUser = user.endsWith('_2') ? user.slice(0, -2) : `${user}_2`;
    return `${scheme}${secondUser}:${password}@`;
  });

/** Returns the name of the variable for the same database without a pooler, set only if `DATABASE_URL` is a pooler. */
export const toDirectUrlVariable = (name: string): string => `${toUpper(name)}_DATABASE_DIRECT_URL`;

/** Addresses that contain a password, with their defaults: the servers in `deploy/backing`. */
const listAddresses = (values: Values): readonly { name: string; url: string | undefined; password?: string }[] => [
  {
    name: 'MONGO_URL',
    url: `mongodb://notifications:${values.MONGO_NOTIFICATIONS_PASSWORD}@mongo:27017/atrium?authSource=admin`,
    password: 'MONGO_NOTIFICATIONS_PASSWORD',
  },
  ...databaseServices.flatMap((name) => {
    const password = `POSTGRES_${toUpper(name)}_PASSWORD`;
    return [
      {
        name: `${toUpper(name)}_DATABASE_URL`,
        url: `postgres://atrium_${name}:${values[password]}@postgres:5432/atrium_${name}`,
        password,
      },
      { name: toDirectUrlVariable(name), url: undefined },
    ];
  }),
];

/**
 * Adds the in-cluster addresses of the servers in `deploy/backing`, unless they are overridden. During a rotation, the
 * addresses of PostgreSQL and MongoDB use the second user. Redis accepts two passwords for one user.
 */
export const withAddresses = (values: Values): Values => ({
  REDIS_URL: `redis://:${values.REDIS_PASSWORD}@redis:6379`,
  SMTP_URL: 'smtp://mailbox:1025',
  ...values,
  ...Object.fromEntries(
    listAddresses(values).flatMap(({ name, url: defaultUrl, password }) => {
      const configured = values[name];
      const url = configured ?? defaultUrl;
      if (url === undefined) return [];
      const usesSecondUser = hasSwitched(values, configured === undefined ? (password ?? name) : name);
      return [[name, usesSecondUser ? withSecondUser(url) : url]];
    }),
  ),
});

/** Finds the address that makes a password unused because it points to a different server. */
export const findOverridingAddress = (values: Values, name: string): string | undefined => {
  const addresses = [...listAddresses(values), { name: 'REDIS_URL', password: 'REDIS_PASSWORD' }];
  const address = addresses.find(({ password }) => password === name)?.name ?? '';
  const configured = values[address];
  return configured !== undefined && passwordIn(configured) !== values[name] ? address : undefined;
};
