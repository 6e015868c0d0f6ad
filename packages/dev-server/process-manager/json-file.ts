import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';

/** What a JSON file holds. Throws where it is not there, is no JSON, or does not fit. */
export const readJsonFile = <T extends z.ZodType>(file: string, schema: T): z.output<T> =>
  schema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Writes a JSON file whole or not at all; only its owner reads it. */
export const writeJsonFile = (file: string, value: object): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};
