const COMMANDS = ['list', 'show', 'replay', 'drop'] as const;

export type DeadOptions = { command: (typeof COMMANDS)[number] | 'help'; ids: string[] };

export const HELP = `npm run dead -- list | show <id> | replay <id> … | drop <id> …

What could not be handled, and what NATS would not take (docs/operations.md). A number is a dead letter; <service>/<number> is a
refused row of that service's outbox.

  list      every one of them: subscription, event, what it is about, when, and why
  show      one, with its content
  replay    gives a letter to its subscription once more, and to nobody else; a refused row to NATS once more
  drop      forgets it

It looks at the workspace of this machine (ATRIUM_HOME, .atrium in this folder unless set). With NATS_URL it looks there instead, by
NATS_PREFIX, NATS_USER, NATS_PASSWORD, NATS_CREDS and NATS_TLS_* as a service does, as a user who may do everything; and into the
outboxes of the services whose database it is told: AUTH_DATABASE_URL, USERS_DATABASE_URL and so on.
`;

const isCommand = (text: string): text is (typeof COMMANDS)[number] => COMMANDS.some((command) => command === text);

/** What somebody typed after `npm run dead --`; throws a sentence and the help on anything unknown. */
export const readDeadOptions = ([command = '', ...ids]: string[]): DeadOptions => {
  if (command === '--help' || command === '-h') return { command: 'help', ids: [] };
  const refuse = (what: string): never => {
    throw new Error(`${what}\n\n${HELP}`);
  };
  if (!isCommand(command)) return refuse(command === '' ? 'Say what to do.' : `There is no "${command}".`);
  const unknown = ids.find((id) => !/^([a-z]+\/)?\d+$/.test(id));
  if (unknown !== undefined) return refuse(`"${unknown}" is not an id.`);
  if (command === 'list' && ids.length > 0) return refuse('list takes no id.');
  if (command === 'show' && ids.length !== 1) return refuse('show takes one id.');
  if (command !== 'list' && ids.length === 0) return refuse(`${command} needs an id.`);
  return { command, ids };
};
