import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { manifestOf, secretsOf } from './layout.ts';
import type { Values } from './values.ts';

const HEADER = '# Generated from values.env by npm run secrets. Edit that file and run the command again.\n';
const manifest = z.object({ metadata: z.object({ namespace: z.string() }) });

/** Writes atomically, readable only by the owner. */
export const writePrivate = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

const textOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

export const valuesFile = (folder: string): string => join(folder, 'values.env');

/** The namespace of the manifests in a folder. */
export const namespaceIn = (folder: string): string | undefined => {
  const text = textOf(join(folder, 'atrium-auth.yaml'));
  return text === undefined ? undefined : manifest.parse(parse(text)).metadata.namespace;
};

/** Writes the manifests that differ from the values. Returns the names of their Secrets. */
export const writeChanged = (folder: string, namespace: string, values: Values): string[] =>
  Object.entries(secretsOf(values)).flatMap(([name, content]) => {
    const file = join(folder, `${name}.yaml`);
    const text = HEADER + stringify(manifestOf(name, namespace, content));
    if (text === textOf(file)) return [];
    writePrivate(file, text);
    return [name];
  });
