import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

/** A folder with this checkout's lint rules; `lint` returns what the plugins report about a file with the given text. */
export function createLintSandbox() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-lint-'));
  for (const part of ['biome.json', '.gitignore', 'lint'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  return {
    lint(file: string, text: string): Promise<{ code: number; output: string }> {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
      return new Promise((done) => {
        const args = [biome, 'lint', '--only=plugin', file];
        execFile(process.execPath, args, { cwd: folder }, (error, out, err) =>
          done({ code: error ? Number(error.code) : 0, output: out + err }),
        );
      });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
