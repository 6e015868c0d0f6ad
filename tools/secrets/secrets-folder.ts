import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { manifestOf, secretsOf } from './layout.ts';
import type { Values } from './values.ts';

const HEADER = '# Made by npm run secrets of values.env: change that, and run it again.\n';
const manifest = z.object({ metadata: z.object({ namespace: z.string() }) });

/** Whole or not at all, and for its owner's eyes only. */
export const writePrivate = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

const textOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** The file that keeps the values of a folder. */
export const valuesFile = (folder: string): string => join(folder, 'values.env');

/** For which namespace the manifests in a folder were made. */
export const namespaceIn = (folder: string): string | undefined => {
  const text = textOf(join(folder, 'atrium-auth.yaml'));
  return text === undefined ? undefined : manifest.parse(parse(text)).metadata.namespace;
};

/** Writes the manifests that are not what the values make of them, and answers the names of their Secrets. */
export const writeChanged = (folder: string, namespace: string, values: Values): string[] =>
  Object.entries(secretsOf(values)).flatMap(([name, content]) => {
    const file = join(folder, `${name}.yaml`);
    const text = HEADER + stringify(manifestOf(name, namespace, content));
    if (text === textOf(file)) return [];
    writePrivate(file, text);
    return [name];
  });
