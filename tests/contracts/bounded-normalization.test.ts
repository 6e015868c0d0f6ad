import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

/** What the linter of this checkout says about an expression in a file. */
async function lint(file: string, expression: string): Promise<string> {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), `export const normal = (text: string) => ${expression};\n`);
  return new Promise((done) => {
    const args = [biome, 'lint', '--only=plugin', file];
    execFile(process.execPath, args, { cwd: folder }, (_error, out, err) => done(out + err));
  });
}

const RULE = 'Normalize text with toNormalForm';

describe('the lint rule for normalization', () => {
  it.each([
    ['services/users/src/names.ts', `text.normalize('NFC')`],
    ['web/src/lib/names.ts', 'text?.normalize()'],
    ['gateway/src/names.ts', `text['normalize']('NFKC')`],
    ['tools/seed/names.ts', 'String.prototype.normalize.call(text)'],
  ])('refuses the built-in method in %s', async (file, expression) => {
    expect(await lint(file, expression)).toContain(RULE);
  });

  it('lets pass the module that bounds it', async () => {
    expect(await lint('proto-events/src/text/normal-form.ts', `text.normalize('NFC')`)).not.toContain(RULE);
    expect(await lint('web/src/lib/names.ts', `toNormalForm(text, 'NFC')`)).not.toContain(RULE);
  });
});
