/** @jest-environment node */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildTarget, minimumBrowserVersions } from '../build/supported-browsers.ts';
import config from '../vite.config.ts';

const web = join(import.meta.dirname, '..');

type FirstVersions = { chrome: number; edge: number; firefox: number; safari: number };

/**
 * Features newer than ES2022 that the app uses or could use, with the first version of each browser that supports them
 * (MDN).
 */
const NEW_FEATURES: [RegExp, FirstVersions][] = [
  [/Object\.groupBy\(|Map\.groupBy\(/, { chrome: 117, edge: 117, firefox: 119, safari: 17.4 }],
  [/\.(toSpliced|toSorted|toReversed)\(/, { chrome: 110, edge: 110, firefox: 115, safari: 16 }],
  [/AbortSignal\.any\(/, { chrome: 116, edge: 116, firefox: 124, safari: 17.4 }],
  [/URL\.canParse\(/, { chrome: 120, edge: 120, firefox: 115, safari: 17 }],
  [/Promise\.withResolvers\(/, { chrome: 119, edge: 119, firefox: 121, safari: 17.4 }],
  [/\.(union|intersection|difference|isSubsetOf)\(/, { chrome: 122, edge: 122, firefox: 127, safari: 17 }],
  [/Promise\.try\(/, { chrome: 128, edge: 128, firefox: 134, safari: 18.2 }],
];

describe('the supported browsers', () => {
  it('are the newest two versions of four browsers and Firefox ESR, and match the build target', () => {
    const { browserslist } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8')) as { browserslist: string[] };
    const latestVersions = ['chrome', 'edge', 'firefox', 'safari'].map((name) => `last 2 ${name} versions`);
    expect(browserslist).toEqual([...latestVersions, 'Firefox ESR']);
    expect([...minimumBrowserVersions().keys()].sort()).toEqual(['chrome', 'edge', 'firefox', 'safari']);
    expect(config).toMatchObject({ build: { target: buildTarget() } });
  });

  it('support every built-in that the app uses', () => {
    const sources = globSync('src/**/*.{ts,tsx}', { cwd: web }).map((file) => readFileSync(join(web, file), 'utf8'));
    const usedFeatures = NEW_FEATURES.filter(([pattern]) => sources.some((source) => pattern.test(source)));
    expect(usedFeatures.length).toBeGreaterThan(0);
    for (const [pattern, firstVersions] of usedFeatures)
      for (const [name, version] of Object.entries(firstVersions))
        expect({ pattern, name, isSupported: (minimumBrowserVersions().get(name) ?? 0) >= version }).toEqual({
          pattern,
          name,
          isSupported: true,
        });
  });

  it('limit the library types to ES2024', () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(web, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { lib: string[] };
    };
    expect(compilerOptions.lib).toEqual(['es2024', 'dom', 'dom.iterable']);
  });
});
