import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { services, sideProcesses } from '../system/services.ts';
import { inspectors, inspectorsBeside, watching } from './inspectors.ts';
import { tellRestarts } from './report-restarts.ts';

const launchFile = z.object({
  configurations: z.array(z.object({ name: z.string(), request: z.literal('attach'), port: z.number() }).loose()),
  compounds: z.array(z.object({ configurations: z.array(z.string()) }).loose()),
});

describe('the debuggers of npm run dev', () => {
  it('are on the ports that editors are told, for every process', () => {
    const file = launchFile.parse(JSON.parse(readFileSync(join(CHECKOUT, '.vscode/launch.json'), 'utf8')));
    expect(file.configurations.map(({ name, port }) => ({ name, port }))).toEqual([...inspectorsBeside, ...inspectors]);
    expect(file.compounds.map(({ configurations }) => configurations)).toEqual([
      [...inspectorsBeside, ...inspectors].map(({ name }) => name),
    ]);
    expect(inspectors.map(({ name }) => name)).toEqual(['gateway', ...services.map(({ name }) => name)]);
    expect(inspectorsBeside.map(({ name }) => name)).toEqual(sideProcesses.map(({ name }) => name));
    expect(watching('chat-files')).toContain(`--inspect=127.0.0.1:${inspectorsBeside[0]?.port}`);
    expect(watching('auth')).toContain(`--inspect=127.0.0.1:${inspectors[1]?.port}`);
  });
});

describe('the words of a process that watches its files', () => {
  it('are left to what it says itself, with how long a save took, and with its fault', () => {
    const heard: string[] = [];
    const { line } = tellRestarts({
      line: (name, text) => void heard.push(`${name}: ${text}`),
      say: (name, text) => void heard.push(`${name} ${text}`),
    });
    const ready = '{"level":30,"msg":"ready"}';
    for (const text of ['Debugger listening on ws://127.0.0.1:9232/x', ready]) line('users', text);
    for (const text of [`Restarting 'main.ts'`, ready]) line('users', text);
    line('auth', ready);
    line('auth', `Failed running 'main.ts'`);
    expect(heard).toEqual([
      `users: ${ready}`,
      `users: ${ready}`,
      expect.stringMatching(/^users runs what was saved, \d\.\d s later$/),
      `auth: ${ready}`,
      'auth: failed; it starts again with the next file that is saved',
    ]);
  });
});
