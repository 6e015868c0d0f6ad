import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { roleProcesses, services } from '../system/services.ts';
import { inspectors, roleInspectors, watchArgs } from './inspectors.ts';
import { reportRestarts } from './start-dev-system.ts';

const launchFile = z.object({
  configurations: z.array(z.object({ name: z.string(), request: z.literal('attach'), port: z.number() }).loose()),
  compounds: z.array(z.object({ configurations: z.array(z.string()) }).loose()),
});

describe('debugger ports of npm run dev', () => {
  it('match .vscode/launch.json for every process', () => {
    const file = launchFile.parse(JSON.parse(readFileSync(join(CHECKOUT, '.vscode/launch.json'), 'utf8')));
    expect(file.configurations.map(({ name, port }) => ({ name, port }))).toEqual([...roleInspectors, ...inspectors]);
    expect(file.compounds.map(({ configurations }) => configurations)).toEqual([
      [...roleInspectors, ...inspectors].map(({ name }) => name),
    ]);
    expect(inspectors.map(({ name }) => name)).toEqual(['gateway', ...services.map(({ name }) => name)]);
    expect(roleInspectors.map(({ name }) => name)).toEqual(roleProcesses.map(({ name }) => name));
    expect(watchArgs('chat-files')).toContain(`--inspect=127.0.0.1:${roleInspectors[0]?.port}`);
    expect(watchArgs('auth')).toContain(`--inspect=127.0.0.1:${inspectors[1]?.port}`);
  });
});

describe('reportRestarts', () => {
  it('forwards process output, and reports restart times and failures', () => {
    const reported: string[] = [];
    const { line } = reportRestarts({
      line: (name, text) => void reported.push(`${name}: ${text}`),
      log: (name, text) => void reported.push(`${name} ${text}`),
    });
    const ready = '{"level":30,"msg":"ready"}';
    for (const text of ['Debugger listening on ws://127.0.0.1:9232/x', ready]) line('users', text);
    for (const text of [`Restarting 'main.ts'`, ready]) line('users', text);
    line('auth', ready);
    line('auth', `Failed running 'main.ts'`);
    expect(reported).toEqual([
      `users: ${ready}`,
      `users: ${ready}`,
      expect.stringMatching(/^users restarted, \d\.\d s later$/),
      `auth: ${ready}`,
      'auth: failed; it restarts when the next file is saved',
    ]);
  });
});
