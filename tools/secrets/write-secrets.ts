import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { completeEnvText } from './env-file.ts';
import { buildManifest, buildSecrets } from './layout.ts';
import { secretValues, type Values } from './values.ts';

const HEADER = '# Generated from values.env by npm run secrets. Edit that file and run the command again.\n';
const manifest = z.object({ metadata: z.object({ namespace: z.string() }) });

export const writePrivate = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

const readIfExists = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

export const valuesFile = (folder: string): string => join(folder, 'values.env');

export const namespaceIn = (folder: string): string | undefined => {
  const text = readIfExists(join(folder, 'atrium-auth.yaml'));
  return text === undefined ? undefined : manifest.parse(parse(text)).metadata.namespace;
};

export const writeChanged = (folder: string, namespace: string, values: Values): string[] =>
  Object.entries(buildSecrets(values)).flatMap(([name, content]) => {
    const file = join(folder, `${name}.yaml`);
    const text = HEADER + stringify(buildManifest(name, namespace, content));
    if (text === readIfExists(file)) return [];
    writePrivate(file, text);
    return [name];
  });

type Print = (line: string) => void;
const NAMESPACE = 'atrium';

const completeFile = (file: string, template: string, makers: typeof secretValues, print: Print): Values => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : template;
  const { text, values, generated } = completeEnvText(before, makers);
  writePrivate(file, text);
  const summary = generated.length === 0 ? ' is complete; nothing was changed' : `: generated ${generated.join(', ')}`;
  print(`${file}${summary}.`);
  return values;
};

const printFirstStep = (url: string, { SETUP_TOKEN: token = '' }: Values, print: Print): void =>
  print(`When Atrium is running, create the first administrator at ${url}/login?setup=${token}`);

export const writeCompose = (file: string, example: string, print: Print): void => {
  const values = completeFile(file, readFileSync(example, 'utf8'), secretValues, print);
  printFirstStep(values.PUBLIC_URL ?? 'http://localhost:3000', values, print);
};

const VALUES_HEADER = `# Values of the Secrets in this folder, which npm run secrets -- kubernetes --out <this folder> generates. Keep this
# file: there is no copy, and its values overwrite changes made only in the cluster. Change values with
# npm run secrets -- rotate. To use your own stores, add their addresses here (AUTH_DATABASE_URL=…, REDIS_URL=…,
# MONGO_URL=…, SMTP_URL=…).
`;

interface Cluster {
  /** Defaults to the namespace of the existing manifests, or `atrium`. */
  namespace: string | undefined;
  url: string;
}

/** Saves the values, and writes the manifests that change. */
export const writeManifests = (folder: string, { namespace, url }: Cluster, print: Print): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, '.gitignore'), '*\n');
  const values = completeFile(valuesFile(folder), VALUES_HEADER, secretValues, print);
  const changed = writeChanged(folder, namespace ?? namespaceIn(folder) ?? NAMESPACE, values);
  print(changed.length === 0 ? 'No Secret has changed.' : `Written: ${changed.join(', ')}.`);
  print(`Apply them with: kubectl apply --server-side -f ${folder}`);
  printFirstStep(url, values, print);
};

/** Prints manifests with new values, which are not saved. */
export const printManifests = ({ namespace = NAMESPACE, url }: Cluster, print: Print, printInfo: Print): void => {
  const { values } = completeEnvText('', secretValues);
  const documents = Object.entries(buildSecrets(values)).map(([name, content]) =>
    stringify(buildManifest(name, namespace, content)),
  );
  print(documents.join('---\n').trimEnd());
  printInfo('These values are not saved, and the next run generates new ones. Use --out <folder> to save them.');
  printFirstStep(url, values, printInfo);
};
