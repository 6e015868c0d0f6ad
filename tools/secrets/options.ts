import { parseArgs } from 'node:util';

export type SecretsOptions =
  | { command: 'help' }
  | { command: 'compose'; file: string | undefined }
  | { command: 'kubernetes'; namespace: string; out: string | undefined; url: string };

export const HELP = `npm run secrets -- compose | kubernetes [options]

Makes strong random values for everything that asks for a password or a key. What is there already stays as it is.

  compose                completes deploy/.env (made of deploy/.env.example at first), which docker compose reads
    --file <file>        another file than that

  kubernetes             the Secrets that the manifests name: atrium-<service>, and atrium-postgres, atrium-nats and so on
    --out <folder>       into this folder: its values.env keeps the values, one manifest is made of them for each Secret. Run again,
                         it completes the values and makes the manifests anew. Without it everything is made anew and printed
    --namespace <name>   where they go; atrium unless told
    --url <address>      the address that people open, for the link that is printed at the end

Stores of your own (the overlay large): write their addresses into values.env and run it again. It takes AUTH_DATABASE_URL,
USERS_DATABASE_URL and so on, REDIS_URL, MONGO_URL, SMTP_URL, S3_ACCESS_KEY and S3_SECRET_KEY. Where one of a database leads to a
pooler, AUTH_DATABASE_DIRECT_URL and so on lead past it. Keep values.env as you keep a key: whoever reads it can do everything.
`;

/** What somebody typed after `npm run secrets --`; throws a sentence and the help on anything unknown. */
export const readSecretsOptions = (args: string[]): SecretsOptions => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      file: { type: 'string' },
      out: { type: 'string' },
      namespace: { type: 'string' },
      url: { type: 'string' },
    },
  });
  const [command, ...more] = positionals;
  if (values.help) return { command: 'help' };
  const refuse = (what: string): never => {
    throw new Error(`${what}\n\n${HELP}`);
  };
  if (more.length > 0) return refuse(`"${more.join(' ')}" is too much.`);
  if (command === 'compose') {
    if (values.out ?? values.namespace ?? values.url) return refuse('compose takes --file alone.');
    return { command, file: values.file };
  }
  if (command !== 'kubernetes') return refuse(command ? `There is no "${command}".` : 'Say for what.');
  if (values.file) return refuse('kubernetes takes --out, not --file.');
  const { namespace = 'atrium', out, url = 'https://<your address>' } = values;
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace)) return refuse(`"${namespace}" is no namespace.`);
  return { command, namespace, out, url: url.replace(/\/+$/, '') };
};
