import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';

const script = fileURLToPath(new URL('check-subject.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'atrium-commit-'));
const file = join(folder, 'COMMIT_EDITMSG');
afterAll(() => rmSync(folder, { recursive: true }));

function check(message: string) {
  writeFileSync(file, message);
  const { status, stderr } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  return { status, stderr: stderr.trim() };
}

describe('check-subject', () => {
  it.each([
    ['a subject of 72 characters', 'x'.repeat(72)],
    ['a subject of 72 multibyte characters', 'ể'.repeat(72)],
    ['a subject with a body and comments', 'chat: keep the order\n\nThe reason.\n# Please enter the commit message'],
    ['a generated subject of any length', `Merge branch '${'x'.repeat(80)}'`],
  ])('accepts %s', (_, message) => {
    expect(check(message)).toEqual({ status: 0, stderr: '' });
  });

  it.each([
    ['a subject of 73 characters', 'x'.repeat(73), 'has 73 characters'],
    ['an empty subject', '\n\nThe reason.', 'is empty'],
    ['a body without an empty line before it', 'Keep the order\nThe reason.', 'empty line'],
  ])('rejects %s', (_, message, reason) => {
    expect(check(message)).toEqual({ status: 1, stderr: expect.stringContaining(reason) });
  });
});
