import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-lint-'));
  for (const part of ['biome.json', '.gitignore', 'lint'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What the linter of this checkout says about the effect, its exit code first. */
async function lint(effect: string): Promise<{ code: number; output: string }> {
  writeFileSync(
    join(folder, 'use-box.tsx'),
    `import { useEffect, useLayoutEffect } from 'react';\ndeclare const box: HTMLElement;\ndeclare const follow: () => () => void;\nexport function useBox() {\n${effect}\n}\n`,
  );
  return new Promise((done) => {
    const args = [biome, 'lint', '--only=plugin', 'use-box.tsx'];
    execFile(process.execPath, args, { cwd: folder }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });
}

describe('the lint rule for effects', () => {
  it.each([
    'useEffect(() => box.scrollIntoView(), []);',
    'useLayoutEffect(() => box.scrollIntoView(), []);',
    'useEffect(() => follow());',
    'useEffect(follow, []);',
    'useEffect(() => (box ? follow() : undefined), []);',
    'useEffect(() => () => follow(), []);',
  ])('refuses %s', async (effect) => {
    const { code, output } = await lint(effect);
    expect(output).toContain('Put the body of an effect in braces');
    expect(code).toBe(1);
  });

  it.each([
    'useEffect(() => {\n  box.scrollIntoView();\n}, []);',
    'useLayoutEffect(() => {\n  const stop = follow();\n  return () => stop();\n});',
    'useEffect(function start() {\n  return follow();\n}, []);',
  ])('lets pass %s', async (effect) => {
    expect(await lint(effect)).toMatchObject({ code: 0 });
  });
});
