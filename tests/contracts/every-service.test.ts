import { SERVICES } from '@atrium/gateway/upstreams';
import { services as launcherRows } from '@atrium/local/system/services';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { describe, expect, it } from '@jest/globals';
import { exists, read, SERVICE_FOLDERS, sourceOf } from './sources.ts';

const rowOf = (name: string) => launcherRows.find((row) => row.name === name);

describe('every service', () => {
  it('is known to the gateway and to the launcher, and they know no other', () => {
    expect([...SERVICES].sort()).toEqual([...SERVICE_FOLDERS].sort());
    expect(launcherRows.map(({ name }) => name).sort()).toEqual([...SERVICE_FOLDERS].sort());
  });

  it.each(SERVICE_FOLDERS)('has what a service has: %s', (name) => {
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

  it.each(SERVICE_FOLDERS)('says on one screen what it owns, publishes and consumes: %s', (name) => {
    const readme = read(`services/${name}/README.md`);
    expect(readme.split('\n').length).toBeLessThan(60);
    for (const word of ['Owns', 'Publishes', 'Consumes']) expect(readme).toMatch(new RegExp(word, 'i'));
  });

  it.each(SERVICE_FOLDERS.filter((name) => rowOf(name)?.database))('keeps its schema as plain SQL: %s', (name) => {
    expect(exists(`services/${name}/migrations`)).toBe(true);
    expect(sourceOf(`services/${name}/src`)).toMatch(/migrations: new URL\('\.\.\/migrations', import\.meta\.url\)/);
  });

  it.each(SERVICE_FOLDERS)('reads its environment in one place: %s', (name) => {
    const readers = sourceOf(`services/${name}/src`).match(/process\.env/g) ?? [];
    expect(readers).toEqual([]);
    expect(read(`services/${name}/src/config.ts`)).toContain('readEnv(');
  });

  it.each(SERVICE_FOLDERS)('mounts every one of its contracts, and nobody else’s: %s', (name) => {
    const source = sourceOf(`services/${name}/src`);
    const mounted = [...source.matchAll(/\bhandle\(\s*(?:\w+\.)?(\w+)/g)].map(([, contract]) => contract);
    const contracts = ALL_ENDPOINTS.filter(({ service }) => service === name).map((entry) => entry.name);
    expect(mounted.sort()).toEqual(contracts.sort());
  });
});
