import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';

/** Throws if the file is missing, invalid, or does not match the schema. */
export const readJsonFile = <T extends z.ZodType>(file: string, schema: T): z.output<T> =>
  schema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Writes the file atomically, and makes it readable only by its owner. */
export const writeJsonFile = (file: string, value: object): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};
