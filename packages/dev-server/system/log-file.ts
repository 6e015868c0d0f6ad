import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessListener } from '../process-manager/managed-process.ts';

const LOGS = Symbol.for('atrium.logs');

interface LogFile {
  file: string;
  listener: ProcessListener;
}

export const openLogFile = (): LogFile => {
  const file = join(mkdtempSync(join(tmpdir(), 'atrium-log-')), 'system.log');
  const stream = createWriteStream(file, { flags: 'a' });
  const globals = globalThis as { [LOGS]?: Set<string> };
  globals[LOGS] ??= new Set();
  globals[LOGS].add(file);
  const write = (name: string, text: string): void => {
    stream.write(`${new Date().toISOString()} ${name}: ${text}\n`);
  };
  return { file, listener: { line: write, log: write } };
};
