import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceDatabases } from '@atrium/dev-server/backing/servers/postgres-databases';
import { services as launcherRows } from '@atrium/dev-server/system/services';
import { SERVICES } from '@atrium/gateway/upstream/upstreams';
import { MIGRATIONS } from '@atrium/tools/backup/installation/databases';
import { describe, expect, it } from '@jest/globals';
import { exists, ROOT, read, SERVICE_FOLDERS } from './sources.ts';

const findLauncherRow = (name: string) => launcherRows.find((row) => row.name === name);

describe('every service', () => {
  it('is known to the gateway and the launcher, which know no other services', () => {
    expect([...SERVICES].sort()).toEqual([...SERVICE_FOLDERS].sort());
    expect(launcherRows.map(({ name }) => name).sort()).toEqual([...SERVICE_FOLDERS].sort());
  });

  it.each(SERVICE_FOLDERS)('has the standard files: %s', (name) => {
    for (const file of ['README.md', 'package.json', 'tsconfig.json', 'src/main.ts', 'src/app.ts', 'src/config.ts']) {
      expect([file, exists(`services/${name}/${file}`)]).toEqual([file, true]);
    }
    const { name: packageName, type } = JSON.parse(read(`services/${name}/package.json`)) as {
      name: string;
      type: string;
    };
    expect({ packageName, type }).toEqual({ packageName: `@atrium/${name}`, type: 'module' });
    expect(read('tsconfig.json')).toContain(`"services/${name}"`);
  });

  it.each(SERVICE_FOLDERS)(
    'has a README below 60 lines with its data, published events, and consumed events: %s',
    (name) => {
      const readme = read(`services/${name}/README.md`);
      expect(readme.split('\n').length).toBeLessThan(60);
      for (const word of ['Owns', 'Publishes', 'Consumes']) expect(readme).toMatch(new RegExp(word, 'i'));
    },
  );

  it('is part of every backup if it has a database, and restores know its migrations', () => {
    const folders = serviceDatabases.map((name) => [name, join(ROOT, 'services', name, 'migrations')]);
    expect(Object.entries(MIGRATIONS).map(([name, folder]) => [name, fileURLToPath(folder)])).toEqual(folders);
    expect(launcherRows.flatMap(({ database }) => database ?? [])).toEqual(serviceDatabases);
  });

  it.each(SERVICE_FOLDERS.filter((name) => findLauncherRow(name)?.database))(
    'defines its schema in numbered SQL files: %s',
    (name) => {
      const files = readdirSync(join(ROOT, 'services', name, 'migrations'));
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(file).toMatch(/^\d{4}_[a-z_-]+\.sql$/);
    },
  );
});
