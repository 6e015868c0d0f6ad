import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Area {
  name: string;
  kind: 'types' | 'lint' | 'jest';
  projects: string[];
  paths: string[];
  workers: number;
}

const jestArea = (name: string, projects: string[], workers: number, paths: string[] = []): Area => ({
  name,
  kind: 'jest',
  projects,
  paths,
  workers,
});

const ALL_AREAS: readonly Area[] = [
  { name: 'types', kind: 'types', projects: [], paths: [], workers: 1 },
  { name: 'lint', kind: 'lint', projects: [], paths: [], workers: 1 },
  jestArea('unit', ['unit', 'web'], 2),
  // With two workers, two processors would be idle a third of the time, because suites wait for timers and disks.
  jestArea('api', ['api'], 3),
  jestArea('system', ['system'], 2),
  // Two systems and two browsers would overload two processors.
  jestArea('browser', ['browser'], 1),
];

const ALL_PROJECTS = ['unit', 'web', 'api', 'system', 'browser'];

const findFolder = (root: string, name: string): string | undefined => {
  const candidates = ['services', 'packages', 'deploy', '.'].map((parent) => join(parent, name));
  return candidates.find((folder) => /^[a-z-]+$/.test(name) && existsSync(join(root, folder, 'package.json')));
};

const findArea = (root: string, name: string): Area => {
  const predefined = ALL_AREAS.find((area) => area.name === name);
  if (predefined) return predefined;
  const folder = findFolder(root, name);
  if (folder) return jestArea(name, ALL_PROJECTS, 2, [`/${folder}/`]);
  if (name.includes('/')) return jestArea(name, ALL_PROJECTS, 1, [name]);
  const services = readdirSync(join(root, 'services')).join(', ');
  throw new Error(
    `Unknown area "${name}". Choose from ${ALL_AREAS.map(({ name }) => name).join(', ')}, a service (${services}), packages like service-kit, gateway, web, or the path of a test file.`,
  );
};

/** Finds areas by name. Returns all areas, the fastest first, if no names are specified. */
export const chooseAreas = (root: string, names: string[]): Area[] =>
  names.length ? names.map((name) => findArea(root, name)) : [...ALL_AREAS];
