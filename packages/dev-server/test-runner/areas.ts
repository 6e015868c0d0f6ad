import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Area {
  name: string;
  kind: 'types' | 'lint' | 'jest';
  projects: string[];
  paths: string[];
  workers: number;
}

const jest = (name: string, projects: string[], workers: number, paths: string[] = []): Area => ({
  name,
  kind: 'jest',
  projects,
  paths,
  workers,
});

const EVERYTHING: readonly Area[] = [
  { name: 'types', kind: 'types', projects: [], paths: [], workers: 1 },
  { name: 'lint', kind: 'lint', projects: [], paths: [], workers: 1 },
  jest('unit', ['unit', 'web'], 2),
  // Two would leave a third of two processors idle, because suites wait for timers and disks.
  jest('api', ['api'], 3),
  jest('system', ['system'], 2),
  // Two systems and two browsers would overload two processors.
  jest('browser', ['browser'], 1),
];

const EVERY_PROJECT = ['unit', 'web', 'api', 'system', 'browser'];

const folderOf = (root: string, name: string): string | undefined => {
  const places = ['services', 'packages', 'deploy', '.'].map((parent) => join(parent, name));
  return places.find((place) => /^[a-z-]+$/.test(name) && existsSync(join(root, place, 'package.json')));
};

const areaOf = (root: string, word: string): Area => {
  const known = EVERYTHING.find(({ name }) => name === word);
  if (known) return known;
  const folder = folderOf(root, word);
  if (folder) return jest(word, EVERY_PROJECT, 2, [`/${folder}/`]);
  if (word.includes('/')) return jest(word, EVERY_PROJECT, 1, [word]);
  const services = readdirSync(join(root, 'services')).join(', ');
  throw new Error(
    `Unknown area "${word}". Choose from ${EVERYTHING.map(({ name }) => name).join(', ')}, a service (${services}), packages like service-kit, gateway, web, or the path of a test file.`,
  );
};

/** All areas without words, fast ones first. */
export const chooseAreas = (root: string, words: string[]): Area[] =>
  words.length ? words.map((word) => areaOf(root, word)) : [...EVERYTHING];
