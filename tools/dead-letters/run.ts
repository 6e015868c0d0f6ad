import { escapeControls } from '@atrium/service-kit/observability/logger';
import {
  dropDeadLetter,
  dropRejected,
  type Entry,
  findDeadLetter,
  readDeadLetters,
  readRejected,
  replayDeadLetter,
  replayRejected,
} from './dead-letters.ts';
import { connectInstallation, type Installation, type InstallationConfig } from './installation.ts';

const COMMANDS = ['list', 'show', 'replay', 'drop'] as const;

type DeadLetterOptions = { command: (typeof COMMANDS)[number] | 'help'; ids: string[] };

const HELP = `npm run dead-letters -- list | show <id> | replay <id> … | drop <id> …

Handles events that failed permanently, and outbox rows that NATS rejected (docs/self-hosting/operations.md). The id of a
dead letter is a number; the id of a rejected outbox row is <service>/<number>.

  list      lists all of them: subscription, event, aggregate, time, and reason
  show      shows one with its content
  replay    delivers a dead letter to its subscription again, and to no other; publishes a rejected row again
  drop      deletes dead letters and rejected rows

Works on the workspace on this machine (ATRIUM_HOME, by default .atrium in this folder). If NATS_URL is set, it works on the
installation described by NATS_PREFIX, NATS_USER, NATS_PASSWORD, NATS_CREDS, and NATS_TLS_* (a user with all permissions),
and on the outboxes of the services whose database is set: AUTH_DATABASE_URL, USERS_DATABASE_URL, and so on.
`;

const isCommand = (text: string): text is (typeof COMMANDS)[number] => COMMANDS.some((command) => command === text);

const readDeadLetterOptions = ([command = '', ...ids]: string[]): DeadLetterOptions => {
  if (command === '--help' || command === '-h') return { command: 'help', ids: [] };
  const fail = (message: string): never => {
    throw new Error(`${message}\n\n${HELP}`);
  };
  if (!isCommand(command)) return fail(command === '' ? 'Missing command.' : `Unknown command "${command}".`);
  const unknown = ids.find((id) => !/^([a-z]+\/)?\d+$/.test(id));
  if (unknown !== undefined) return fail(`"${unknown}" is not a valid id.`);
  if (command === 'list' && ids.length > 0) return fail('list takes no id.');
  if (command === 'show' && ids.length !== 1) return fail('show takes one id.');
  if (command !== 'list' && ids.length === 0) return fail(`${command} needs an id.`);
  return { command, ids };
};

const isRejectedRow = (id: string) => id.includes('/');

const formatEntry = ({ id, source, eventType, aggregate, time, reason }: Entry): string =>
  [id, source, eventType, aggregate, time, reason].join('  ');

const runDeadLetters = async (
  installation: Installation,
  { command, ids }: DeadLetterOptions,
  print: (line: string) => void,
): Promise<void> => {
  if (command === 'list') return list(installation, print);
  if (command === 'show') return show(installation, ids[0] ?? '', print);
  const [handleLetter, handleRow] =
    command === 'replay' ? [replayDeadLetter, replayRejected] : [dropExisting, dropRejected];
  const failures: string[] = [];
  for (const id of ids) {
    try {
      print(await (isRejectedRow(id) ? handleRow(installation, id) : handleLetter(installation, id)));
    } catch (error) {
      failures.push(`${id}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
};

const dropExisting = async (installation: Installation, id: string): Promise<string> => {
  await findDeadLetter(installation, id);
  return dropDeadLetter(installation, id);
};

const list = async (installation: Installation, print: (line: string) => void): Promise<void> => {
  const entries = [...(await readDeadLetters(installation)), ...(await readRejected(installation))];
  for (const entry of entries) print(formatEntry(entry));
  print(entries.length === 0 ? 'No dead letters.' : `${entries.length} in total.`);
};

const show = async (installation: Installation, id: string, print: (line: string) => void): Promise<void> => {
  const entry = isRejectedRow(id)
    ? (await readRejected(installation)).find((row) => row.id === id)
    : await findDeadLetter(installation, id);
  if (!entry) throw new Error(`Rejected row ${id} not found.`);
  const { source, eventType, aggregate, time, reason, sequence } = entry;
  const fields = { id, where: source, what: eventType, aggregate, sequence, when: time, why: reason };
  for (const [name, text] of Object.entries(fields)) print(`${name.padEnd(10)} ${text}`);
  print(`\n${formatContent(entry.content)}`);
};

const formatContent = (content: string): string => {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
};

/** Escapes control characters, because events contain user text. */
const print = (text: string) => void process.stdout.write(`${text.split('\n').map(escapeControls).join('\n')}\n`);

export const run = async (
  args: string[],
  readConfig: (env: NodeJS.ProcessEnv) => InstallationConfig,
): Promise<void> => {
  try {
    const options = readDeadLetterOptions(args);
    if (options.command === 'help') return print(HELP);
    const installation = await connectInstallation(readConfig(process.env));
    try {
      await runDeadLetters(installation, options, print);
    } finally {
      await installation.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
};
