import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { codeOf } from './alive.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

export interface Secrets {
  of(name: string): string;
}

const kept = z.record(z.string(), z.string().min(1));

const read = (file: string): Record<string, string> => {
  try {
    return readJsonFile(file, kept);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new Error(`Failed to read ${file}. Restore it, or delete its folder to start over.`, {
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
      const secret = randomBytes(24).toString('hex');
      known[name] = secret;
      writeJsonFile(file, known);
      return secret;
    },
  };
};
