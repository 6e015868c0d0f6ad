import { parseArgs } from 'node:util';

export interface StartOptions {
  help: boolean;
  demo: boolean;
  reset: boolean;
  port: number | undefined;
}

export const HELP = `npm start [-- options]

Starts Atrium on this machine: finds or builds the backing servers (PostgreSQL, Redis, NATS, an object store, MongoDB or
FerretDB, a mailbox), builds the web app, starts every service and the gateway, and shows their logs. Ctrl-C stops
everything; the data is kept for the next start.

  --demo         fills an empty workspace with people, projects, meetings, documents, and conversations (tools/demo)
  --port <n>     the port of the web app and the API; by default that of the last run, or 3000 if it is free
  --reset        deletes the data of previous runs first
  --help         shows this text

Each backing server is looked for in this order: a URL in the environment (POSTGRES_URL, REDIS_URL, NATS_URL, MONGO_URL,
S3_ENDPOINT with S3_ACCESS_KEY and S3_SECRET_KEY, SMTP_URL), a program on the PATH, an npm package, a container if a
Docker engine is running, and a build with Go into the user's cache (the first build takes some minutes).

  ATRIUM_HOME    the folder for data, ports, and passwords; by default .atrium in this folder
  PUBLIC_URL     the address that people open, for links in emails; by default http://localhost:<port>
  LOG_LEVEL      trace, debug, info, warn, or error; by default info without a line for each request
  NO_COLOR       disables colors
`;

const parsePort = (text: string): number => {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Error(`--port must be a number from 1 to 65535, not "${text}"`);
};

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
  return { ...values, port: values.port === undefined ? undefined : parsePort(values.port) };
};

/** Reads the options of this process. Returns undefined after printing the help text for --help. */
export const readProcessOptions = (help: string): StartOptions | undefined => {
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options.help) return options;
    console.log(help);
    return undefined;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`);
    process.exit(64);
  }
};
