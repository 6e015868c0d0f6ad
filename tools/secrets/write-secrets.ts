import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { completeEnvText } from './env-file.ts';
import { manifestOf, secretsOf } from './layout.ts';
import { namespaceIn, valuesFile, writeChanged, writePrivate } from './secrets-folder.ts';
import { secretValues, type Values } from './values.ts';

type Print = (line: string) => void;
const NAMESPACE = 'atrium';

const complete = (file: string, template: string, makers: typeof secretValues, print: Print): Values => {
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
  const values = complete(file, readFileSync(example, 'utf8'), secretValues, print);
  tellFirstStep(values.PUBLIC_URL ?? 'http://localhost:3000', values, print);
};

const VALUES = `# The values of which the Secrets in this folder are made, by npm run secrets -- kubernetes --out <this folder>. Keep this file: nothing
# else has them, and what is changed in the cluster alone is undone from here. Change a value by npm run secrets -- rotate. For stores of
# your own add their addresses here (AUTH_DATABASE_URL=…, REDIS_URL=…, MONGO_URL=…, SMTP_URL=…).
`;

interface Cluster {
  /** That of the manifests in the folder where it is not given, at first `atrium`. */
  namespace: string | undefined;
  url: string;
}

/** Completes the values that a folder keeps, and writes the manifests that are others by them. */
export const writeManifests = (folder: string, { namespace, url }: Cluster, print: Print): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, '.gitignore'), '*\n');
  const values = complete(valuesFile(folder), VALUES, secretValues, print);
  const changed = writeChanged(folder, namespace ?? namespaceIn(folder) ?? NAMESPACE, values);
  print(changed.length === 0 ? 'No Secret has changed.' : `Written: ${changed.join(', ')}.`);
  print(`Hand them over with: kubectl apply --server-side -f ${folder}`);
  tellFirstStep(url, values, print);
};

/** The manifests of values that are made for this one time. */
export const printManifests = ({ namespace = NAMESPACE, url }: Cluster, print: Print, tell: Print): void => {
  const { values } = completeEnvText('', secretValues);
  const documents = Object.entries(secretsOf(values)).map(([name, content]) =>
    stringify(manifestOf(name, namespace, content)),
  );
  print(documents.join('---\n').trimEnd());
  tell('These values are kept nowhere, and the next run makes others. With --out a folder keeps them.');
  tellFirstStep(url, values, tell);
};
