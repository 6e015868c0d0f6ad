import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseSync } from '@swc/core';
import { CHECKOUT } from '../backing/launcher-context.ts';

interface Cruise {
  modules: { source: string; dependencies: { module: string; resolved: string }[] }[];
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
}

const CRUISER = join(CHECKOUT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const MODULES = join(CHECKOUT, '.dependency-cruiser.mjs');
const FOLDERS = join(CHECKOUT, '.dependency-cruiser-folders.mjs');

const cruise = async (root: string, folders: string[], config = MODULES): Promise<Cruise> => {
  const args = [CRUISER, '--config', config, '--output-type', 'json', ...folders];
  const options = { cwd: root, maxBuffer: 256 * 1024 * 1024 };
  // A run that finds violations exits with an error, but still prints its report.
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string }) => error,
  );
  return JSON.parse(stdout);
};

const listImports = (file: string): string[] => {
  const tsx = file.endsWith('.tsx');
  const { body } = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', tsx, target: 'es2024' });
  const sources = body.map((item) => ('source' in item && item.source ? item.source.value : ''));
  return sources.filter((name) => /^(?:\.|#|@atrium\/)/.test(name));
};

const LAYER = /^web\/src\/([^/]+)\//;
const crossesLayers = (source: string, name: string): boolean => {
  const layer = LAYER.exec(source)?.[1];
  const importedLayer = LAYER.exec(join(dirname(source), name))?.[1];
  return name.startsWith('.') && layer !== undefined && importedLayer !== undefined && layer !== importedLayer;
};

describe('import rules', () => {
  let root: string;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'atrium-boundaries-'));
    write('services/users/package.json', '{"name":"@atrium/users","type":"module","exports":{"./*":"./src/*.ts"}}');
    write('services/users/src/people.ts', 'export const people = 1;\nexport type Person = { id: string };\n');
    mkdirSync(join(root, 'node_modules/@atrium'), { recursive: true });
    symlinkSync('../../services/users', join(root, 'node_modules/@atrium/users'));
    write('node_modules/jose/package.json', '{"name":"jose","type":"module","exports":"./dist/index.js"}');
    write('node_modules/jose/dist/index.js', 'export const jose = 1;\n');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const findBrokenRules = async (file: string, text: string): Promise<string[]> => {
    write(file, text);
    const { summary } = await cruise(root, ['services', file.split('/')[0] ?? '']);
    return summary.violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);
  };

  it('reject a service that imports another, by path, by name, or only for types', async () => {
    const rule = ['services-must-not-import-each-other'];
    const path = '../../users/src/people.ts';
    expect(
      await findBrokenRules(
        'services/chat/src/a.ts',
        `import { people } from '${path}';\nexport const x: number = people;\n`,
      ),
    ).toEqual(rule);
    expect(
      await findBrokenRules(
        'services/chat/src/b.ts',
        "import { people } from '@atrium/users/people';\nexport const x = people;\n",
      ),
    ).toEqual(rule);
    expect(
      await findBrokenRules(
        'services/chat/src/c.ts',
        `import type { Person } from '${path}';\nexport type X = Person;\n`,
      ),
    ).toEqual(rule);
    expect(await findBrokenRules('services/chat/src/d.ts', `export * from '${path}';\n`)).toEqual(rule);
  });

  it('reject a web feature that imports another, in a JSX file', async () => {
    write('web/src/features/people/list.tsx', 'export const List = () => <p>people</p>;\n');
    const text = "import { List } from '../people/list.tsx';\nexport const Panel = (): unknown => <List />;\n";
    expect(await findBrokenRules('web/src/features/chat/panel.tsx', text)).toEqual([
      'features-must-not-import-each-other',
    ]);
  });

  it('reject circular imports, including type-only ones', async () => {
    write('services/users/src/two.ts', "import type { One } from './one.ts';\nexport type Two = { one: One };\n");
    const one = "import type { Two } from './two.ts';\nexport type One = { two: Two };\n";
    expect(await findBrokenRules('services/users/src/one.ts', one)).toEqual(['no-circular-imports']);
  });

  it('reject dependencies other than zod in proto-events', async () => {
    const text = "import { jose } from 'jose';\nexport const x = jose;\n";
    expect(await findBrokenRules('proto-events/src/a.ts', text)).toEqual(['proto-events-only-depends-on-zod']);
  });

  it('reject a package that imports a service, and allows a service to import its own files', async () => {
    const text = "import { people } from '@atrium/users/people';\nexport const x = people;\n";
    expect(await findBrokenRules('packages/service-kit/src/a.ts', text)).toEqual(['packages-must-not-import-services']);
    expect(await findBrokenRules('services/users/src/b.ts', "export { people } from './people.ts';\n")).toEqual([]);
  });

  it('reject a layer of the service kit that imports a higher one', async () => {
    write('packages/service-kit/src/http/page.ts', 'export const page = 1;\n');
    const text = "import { page } from '../http/page.ts';\nexport const x = page;\n";
    expect(await findBrokenRules('packages/service-kit/src/postgres/a.ts', text)).toEqual(['service-kit-layers']);
    expect(await findBrokenRules('packages/service-kit/src/service/a.ts', text)).toEqual([]);
  });

  it('reject folders that import each other, except for tests', async () => {
    write('services/folders/src/a/a.ts', "import '../b/b.ts';\n");
    write('services/folders/src/b/b.ts', 'export const b = 1;\n');
    write('services/folders/src/b/b.test.ts', "import '../a/a.ts';\n");
    const findBrokenFolderRules = async () =>
      (await cruise(root, ['services/folders'], FOLDERS)).summary.violations.map(({ rule }) => rule.name);
    expect(await findBrokenFolderRules()).toEqual([]);
    write('services/folders/src/b/c.ts', "import type { b } from '../a/d.ts';\nexport type C = typeof b;\n");
    write('services/folders/src/a/d.ts', 'export const b = 1;\n');
    expect(new Set(await findBrokenFolderRules())).toEqual(new Set(['folders-must-not-import-each-other']));
  });

  describe('in this repository', () => {
    let sourceModules: Cruise['modules'];
    beforeAll(async () => {
      const folders = ['proto-events', 'packages', 'services', 'gateway', 'web', 'deploy', 'tests'];
      const { modules } = await cruise(CHECKOUT, folders);
      sourceModules = modules.filter(({ source }) => /^(?!.*node_modules).*(?<!\.d)\.tsx?$/.test(source));
      expect(sourceModules.length).toBeGreaterThan(100);
    });

    it('detect every import that a full parser detects', () => {
      const missed = sourceModules.flatMap(({ source, dependencies }) => {
        const seen = new Set(dependencies.map(({ module }) => module));
        return listImports(join(CHECKOUT, source))
          .filter((name) => !seen.has(name))
          .map((name) => `${source}: ${name}`);
      });
      expect(missed).toEqual([]);
    });

    it('climb at most two folders within a workspace, and in the web app never out of a layer', () => {
      const climbing = sourceModules.flatMap(({ source }) =>
        listImports(join(CHECKOUT, source))
          .filter((name) => (source.includes('/src/') && name.startsWith('../../../')) || crossesLayers(source, name))
          .map((name) => `${source}: ${name}`),
      );
      expect(climbing).toEqual([]);
    });
  });
});
