import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKOUT } from '../backing/toolbox.ts';
import { chooseAreas } from './areas.ts';
import { readCounts } from './jest-report.ts';

describe('the areas of npm test', () => {
  it('are all of them, the quick ones first, unless some are named', () => {
    const names = chooseAreas(CHECKOUT, []).map(({ name }) => name);
    expect(names).toEqual(['types', 'lint', 'unit', 'api', 'system', 'browser']);
  });

  it('include every service and the other workspaces by name', () => {
    expect(chooseAreas(CHECKOUT, ['projects'])[0]?.paths).toEqual(['/services/projects/']);
    expect(chooseAreas(CHECKOUT, ['service-kit'])[0]?.paths).toEqual(['/packages/service-kit/']);
    expect(chooseAreas(CHECKOUT, ['gateway'])[0]?.paths).toEqual(['/gateway/']);
  });

  it('take the path of a test file, and name the choices for anything else', () => {
    expect(chooseAreas(CHECKOUT, ['deploy/local/lock.test.ts'])[0]?.paths).toEqual(['deploy/local/lock.test.ts']);
    expect(() => chooseAreas(CHECKOUT, ['projets'])).toThrow(
      /There is no area "projets". Choose from types, lint, unit/,
    );
  });
});

describe('the counts of a run', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-counts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const counts = (numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number, code: number) => {
    const file = join(folder, 'report.json');
    writeFileSync(file, JSON.stringify({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites }));
    return readCounts(file, code);
  };

  it('come from the report', async () => {
    expect(await counts(12, 0, 0, 0)).toEqual({ passed: 12, failed: 0 });
    expect(await counts(12, 2, 1, 1)).toEqual({ passed: 12, failed: 3 });
  });

  it('are never all good when the run was not', async () => {
    expect(await counts(12, 0, 0, 1)).toEqual({ passed: 12, failed: 1 });
    expect(await readCounts(join(folder, 'missing.json'), 0)).toEqual({ passed: 0, failed: 1 });
  });
});
