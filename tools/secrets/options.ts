import { parseArgs } from 'node:util';
import { trimTrailingSlashes } from '@atrium/service-kit/process/trim-slashes';
import { STEPS, type Step } from './rotate.ts';

export type SecretsOptions =
  | { command: 'help' }
  | { command: 'compose'; file: string | undefined }
  | { command: 'kubernetes'; namespace: string | undefined; out: string | undefined; url: string }
  | { command: 'rotate'; name: string; step: Step; out: string };

export const HELP = `npm run secrets -- compose | kubernetes | rotate <name> begin|use|end|at-once [options]

Makes strong random values for everything that asks for a password or a key. What is there already stays as it is.

  compose                completes deploy/.env (made of deploy/.env.example at first), which docker compose reads
    --file <file>        another file than that

  kubernetes             the Secrets that the manifests name: atrium-<service>, and atrium-postgres, atrium-nats and so on
    --out <folder>       into this folder: its values.env keeps the values, one manifest is made of them for each Secret. Run again,
                         it completes the values and writes the manifests that change. Without it everything is made anew and printed
    --namespace <name>   where they go; unless told that of the manifests in the folder, at first atrium
    --url <address>      the address that people open, for the link that is printed at the end

  rotate <name> <step>   changes one of the values in values.env, and the manifests that change with it (docs/self-hosting/secrets.md)
    begin                puts the next value beside the present one, as <name>_NEXT
    use                  takes it in its place, and keeps the one before as <name>_PREVIOUS
    end                  forgets that. What is done is not done again: each step may be repeated
    at-once              a new value in place of any others, where nobody may need two
    --out <folder>       where values.env is; secrets unless told

Stores of your own (the overlay large): write their addresses into values.env and run it again. It takes AUTH_DATABASE_URL,
USERS_DATABASE_URL and so on, REDIS_URL, MONGO_URL, SMTP_URL, S3_DOCUMENTS_ACCESS_KEY and S3_DOCUMENTS_SECRET_KEY, and the same of CHAT
and BACKUP. Where one of a database leads to a pooler, AUTH_DATABASE_DIRECT_URL and so on lead past it. Keep values.env as you keep a key: whoever reads it can do everything. Change
a value there and nowhere else: what is changed in the cluster alone is gone with the next run.
`;

const refuse = (what: string): never => {
  throw new Error(`${what}\n\n${HELP}`);
};

const isStep = (text: string | undefined): text is Step => STEPS.some((step) => step === text);

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
  const { file, out, namespace, url } = values;
  if (values.help) return { command: 'help' };
  if (command === 'rotate') {
    const [name, step, ...rest] = more;
    if (file ?? namespace ?? url) return refuse('rotate takes --out alone.');
    if (name === undefined || !isStep(step) || rest.length > 0)
      return refuse(`Say what to rotate, and one of ${STEPS.join(', ')}.`);
    return { command, name, step, out: out ?? 'secrets' };
  }
  if (more.length > 0) return refuse(`"${more.join(' ')}" is too much.`);
  if (command === 'compose') {
    if (out ?? namespace ?? url) return refuse('compose takes --file alone.');
    return { command, file };
  }
  if (command !== 'kubernetes') return refuse(command ? `There is no "${command}".` : 'Say for what.');
  if (file) return refuse('kubernetes takes --out, not --file.');
  if (namespace !== undefined && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace))
    return refuse(`"${namespace}" is no namespace.`);
  return { command, namespace, out, url: trimTrailingSlashes(url ?? 'https://<your address>') };
};
