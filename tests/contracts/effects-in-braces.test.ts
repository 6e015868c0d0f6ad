import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLintSandbox } from './lint-sandbox.ts';

let sandbox: ReturnType<typeof createLintSandbox>;

beforeAll(() => {
  sandbox = createLintSandbox();
});

afterAll(() => sandbox.remove());

/** Returns the linter's exit code and output for an effect. */
const lint = (effect: string) =>
  sandbox.lint(
    'use-box.tsx',
    `import { useEffect, useLayoutEffect } from 'react';\ndeclare const box: HTMLElement;\ndeclare const follow: () => () => void;\nexport function useBox() {\n${effect}\n}\n`,
  );

describe('the lint rule for effects', () => {
  it.each([
    'useEffect(() => box.scrollIntoView(), []);',
    'useLayoutEffect(() => box.scrollIntoView(), []);',
    'useEffect(() => follow());',
    'useEffect(follow, []);',
    'useEffect(() => (box ? follow() : undefined), []);',
    'useEffect(() => () => follow(), []);',
  ])('rejects %s', async (effect) => {
    const { code, output } = await lint(effect);
    expect(output).toContain('Put the body of an effect in braces');
    expect(code).toBe(1);
  });

  it.each([
    'useEffect(() => {\n  box.scrollIntoView();\n}, []);',
    'useLayoutEffect(() => {\n  const stop = follow();\n  return () => stop();\n});',
    'useEffect(function start() {\n  return follow();\n}, []);',
  ])('accepts %s', async (effect) => {
    expect(await lint(effect)).toMatchObject({ code: 0 });
  });
});
