import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { getErrorCode } from './alive.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

export interface Secrets {
  /** Returns the secret, after generating it if it does not exist. */
  get(name: string): string;
}

const secretsSchema = z.record(z.string(), z.string().min(1));

const readSecrets = (file: string): Record<string, string> => {
  try {
    return readJsonFile(file, secretsSchema);
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return {};
    throw new Error(`Failed to read ${file}. Restore it, or delete its folder to start over.`, {
      cause: error,
    });
  }
};

export const createSecrets = (file: string): Secrets => {
  const secrets = readSecrets(file);
  return {
    get(name) {
      const existing = secrets[name];
      if (existing) return existing;
      const secret = randomBytes(24).toString('hex');
      secrets[name] = secret;
      writeJsonFile(file, secrets);
      return secret;
    },
  };
};
