import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from './code-of.ts';

export interface Secrets {
  /** The secret of a name, made at its first use and kept in a file that only its owner reads. */
  of(name: string): string;
}

const kept = z.record(z.string(), z.string().min(1));

const read = (file: string): Record<string, string> => {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new Error(`${file} cannot be read; restore it, or remove the folder it is in to begin anew`, {
      cause: error,
    });
  }
};

export const createSecrets = (file: string): Secrets => {
  const known = read(file);
  return {
    of(name) {
      const found = known[name];
      if (found) return found;
      const made = randomBytes(24).toString('hex');
      known[name] = made;
      writeFileSync(`${file}.new`, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
      return made;
    },
  };
};
