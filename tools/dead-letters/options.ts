const COMMANDS = ['list', 'show', 'replay', 'drop'] as const;

export type DeadLetterOptions = { command: (typeof COMMANDS)[number] | 'help'; ids: string[] };

export const HELP = `npm run dead-letters -- list | show <id> | replay <id> … | drop <id> …

Events that failed permanently, and outbox rows that NATS rejected (docs/self-hosting/operations.md). An id is a number for a dead
letter, or <service>/<number> for a rejected outbox row.

  list      all of them: subscription, event, aggregate, time, and reason
  show      one, with its content
  replay    delivers a dead letter to its subscription again, and to no other; publishes a rejected row again
  drop      deletes it

Works on the workspace on this machine (ATRIUM_HOME, by default .atrium in this folder). If NATS_URL is set, it works on the
installation described by NATS_PREFIX, NATS_USER, NATS_PASSWORD, NATS_CREDS, and NATS_TLS_* (a user with all permissions), and on the
outboxes of the services whose database is given: AUTH_DATABASE_URL, USERS_DATABASE_URL, and so on.
`;

const isCommand = (text: string): text is (typeof COMMANDS)[number] => COMMANDS.some((command) => command === text);

/** Parses the arguments of `npm run dead-letters`. Throws an error with the help text if one is invalid. */
export const readDeadLetterOptions = ([command = '', ...ids]: string[]): DeadLetterOptions => {
  if (command === '--help' || command === '-h') return { command: 'help', ids: [] };
  const fail = (what: string): never => {
    throw new Error(`${what}\n\n${HELP}`);
  };
  if (!isCommand(command)) return fail(command === '' ? 'Missing command.' : `Unknown command "${command}".`);
  const unknown = ids.find((id) => !/^([a-z]+\/)?\d+$/.test(id));
  if (unknown !== undefined) return fail(`"${unknown}" is not a valid id.`);
  if (command === 'list' && ids.length > 0) return fail('list takes no id.');
  if (command === 'show' && ids.length !== 1) return fail('show takes one id.');
  if (command !== 'list' && ids.length === 0) return fail(`${command} needs an id.`);
  return { command, ids };
};
