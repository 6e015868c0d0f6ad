import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { completeEnvText } from './env-file.ts';
import { manifestOf, secretsOf } from './layout.ts';
import { clusterValues, composeValues, type Values } from './values.ts';

type Print = (line: string) => void;

/** Whole or not at all, and for its owner's eyes only. */
const writePrivate = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

const complete = (file: string, template: string, makers: typeof composeValues, print: Print): Values => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : template;
  const { text, values, made } = completeEnvText(before, makers);
  writePrivate(file, text);
  print(made.length === 0 ? `${file} is complete; nothing was changed.` : `${file}: made ${made.join(', ')}.`);
  return values;
};

const tellFirstStep = (url: string, { SETUP_TOKEN: token = '' }: Values, print: Print): void =>
  print(`Once it runs, make the first administrator at ${url}/login?setup=${token}`);

/** Completes the file that docker compose reads. */
export const writeCompose = (file: string, example: string, print: Print): void => {
  const values = complete(file, readFileSync(example, 'utf8'), composeValues, print);
  tellFirstStep(values.PUBLIC_URL ?? 'http://localhost:3000', values, print);
};

const VALUES = `# The values of which the Secrets in this folder are made, by npm run secrets -- kubernetes --out <this folder>. Keep this file: nothing
# else has them. For stores of your own add their addresses here (AUTH_DATABASE_URL=…, REDIS_URL=…, MONGO_URL=…, SMTP_URL=…).
`;
const HEADER = '# Made by npm run secrets of values.env: change that, and run it again.\n';

interface Cluster {
  namespace: string;
  url: string;
}

/** Completes the values that a folder keeps, and makes the manifests of them. */
export const writeManifests = (folder: string, { namespace, url }: Cluster, print: Print): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, '.gitignore'), '*\n');
  const values = complete(join(folder, 'values.env'), VALUES, clusterValues, print);
  for (const [name, data] of Object.entries(secretsOf(values)))
    writePrivate(join(folder, `${name}.yaml`), HEADER + stringify(manifestOf(name, namespace, data)));
  print(`Hand them over with: kubectl apply -f ${folder}`);
  tellFirstStep(url, values, print);
};

/** The manifests of values that are made for this one time. */
export const printManifests = ({ namespace, url }: Cluster, print: Print, tell: Print): void => {
  const { values } = completeEnvText('', clusterValues);
  const documents = Object.entries(secretsOf(values)).map(([name, data]) =>
    stringify(manifestOf(name, namespace, data)),
  );
  print(documents.join('---\n').trimEnd());
  tell('These values are kept nowhere, and the next run makes others. With --out a folder keeps them.');
  tellFirstStep(url, values, tell);
};
