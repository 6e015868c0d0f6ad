import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

/** Creates a folder with this checkout's lint rules, whose `lint` returns the exit code and output for a file. */
export function createLintSandbox() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-lint-'));
  for (const name of ['biome.json', '.gitignore', 'lint'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
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
