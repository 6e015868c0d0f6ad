import { parseArgs } from 'node:util';
import { trimTrailingSlashes } from '@atrium/service-kit/config/shared-variables';
import { STEPS, type Step } from './rotate.ts';

type SecretsOptions =
  | { command: 'help' }
  | { command: 'compose'; file: string | undefined }
  | { command: 'kubernetes'; namespace: string | undefined; out: string | undefined; url: string }
  | { command: 'rotate'; name: string; step: Step; out: string };

export const HELP = `npm run secrets -- compose | kubernetes | rotate <name> begin|use|end|at-once [options]

Generates strong random values for every password and key. Existing values stay unchanged.

  compose                completes deploy/.env for docker compose, starting from deploy/.env.example
    --file <file>        writes a different file instead

  kubernetes             creates the Secrets that the manifests refer to: atrium-<service>, atrium-postgres, and so on
    --out <folder>       saves the values in values.env of this folder, with one manifest for each Secret. Run it again
                         to complete the values and update the manifests. Without it, new values are generated and printed
    --namespace <name>   the namespace of the manifests; by default that of the manifests in the folder, or atrium
    --url <address>      the address that people open, for the link that is printed at the end

  rotate <name> <step>   changes a value in values.env and the manifests that contain it (docs/self-hosting/secrets.md)
    begin                adds the next value as <name>_NEXT
    use                  switches to the next value, and keeps the previous one as <name>_PREVIOUS
    end                  removes the previous value. Each step can be repeated
    at-once              replaces the value in one step, if two valid values are not needed
    --out <folder>       the folder of values.env; secrets by default

To use your own stores (the overlay large), add their addresses to values.env and run the command again: AUTH_DATABASE_URL,
USERS_DATABASE_URL, and so on, REDIS_URL, MONGO_URL, SMTP_URL, S3_DOCUMENTS_ACCESS_KEY and S3_DOCUMENTS_SECRET_KEY, and the
same for CHAT and BACKUP. If a database address points to a connection pooler, set AUTH_DATABASE_DIRECT_URL, and so on, to
the database itself. Protect values.env like a private key. Change values only there, because the next run overwrites changes
made only in the cluster.
`;

const fail = (message: string): never => {
  throw new Error(`${message}\n\n${HELP}`);
};

const isStep = (text: string | undefined): text is Step => STEPS.some((step) => step === text);

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
  const [command, ...rest] = positionals;
  const { file, out, namespace, url } = values;
  if (values.help) return { command: 'help' };
  if (command === 'rotate') {
    const [name, step, ...extra] = rest;
    if (file ?? namespace ?? url) return fail('rotate only accepts --out.');
    if (name === undefined || !isStep(step) || extra.length > 0)
      return fail(`rotate needs the name of a value and a step: ${STEPS.join(', ')}.`);
    return { command, name, step, out: out ?? 'secrets' };
  }
  if (rest.length > 0) return fail(`Unexpected arguments: ${rest.join(' ')}.`);
  if (command === 'compose') {
    if (out ?? namespace ?? url) return fail('compose only accepts --file.');
    return { command, file };
  }
  if (command !== 'kubernetes') return fail(command ? `Unknown command "${command}".` : 'Missing command.');
  if (file) return fail('kubernetes accepts --out, not --file.');
  if (namespace !== undefined && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace))
    return fail(`"${namespace}" is not a valid namespace.`);
  return { command, namespace, out, url: trimTrailingSlashes(url ?? 'https://<your address>') };
};
