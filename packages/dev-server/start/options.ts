import { parseArgs } from 'node:util';

export interface StartOptions {
  help: boolean;
  demo: boolean;
  reset: boolean;
  port: number | undefined;
}

export const HELP = `npm start [-- options]

Starts the whole of Atrium on this machine: finds or builds the backing servers (PostgreSQL, Redis, NATS, an object
store, MongoDB or FerretDB, a mailbox), builds the web app, starts every service and the gateway, and shows their logs.
Ctrl-C ends everything; the data stays for the next start.

  --demo         fill an empty workspace with people, projects, meetings, documents and conversations (tools/demo)
  --port <n>     the port of the web app and the API; else the one of the last start, at first 3000 if it is free
  --reset        forget the data of earlier starts first
  --help         this text

Where things come from, in this order: a URL in the environment (POSTGRES_URL, REDIS_URL, NATS_URL, MONGO_URL,
S3_ENDPOINT with S3_ACCESS_KEY and S3_SECRET_KEY, SMTP_URL), a program on the PATH, an npm package, a container where a
Docker engine answers, and at last a build with Go into the user's cache (the first one takes some minutes).

  ATRIUM_HOME    where data, ports and passwords are kept; .atrium in this folder unless set
  PUBLIC_URL     the address that people open, for links in mails; http://localhost:<port> unless set
  LOG_LEVEL      trace, debug, info, warn or error; without it info, and no line for each request
  NO_COLOR       no colours
`;

const portOf = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`--port must be a number from 1 to 65535, not "${text}"`);
};

/** What somebody typed after `npm start --`; throws a sentence on anything unknown. */
export const readOptions = (args: string[]): StartOptions => {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      demo: { type: 'boolean', default: false },
      reset: { type: 'boolean', default: false },
      port: { type: 'string' },
    },
  });
  return { ...values, port: values.port === undefined ? undefined : portOf(values.port) };
};

/** The same of this process; undefined where the help was all that was asked for. */
export const chosenOptions = (help: string): StartOptions | undefined => {
  try {
    const chosen = readOptions(process.argv.slice(2));
    if (!chosen.help) return chosen;
    console.log(help);
    return undefined;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`);
    process.exit(64);
  }
};
