import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { chooseAreas } from './areas.ts';
import { selectCoverageChecks } from './coverage-records.ts';
import { readCounts } from './jest-report.ts';

describe('chooseAreas', () => {
  it('returns all areas in order of speed if no names are specified', () => {
    const names = chooseAreas(CHECKOUT, []).map(({ name }) => name);
    expect(names).toEqual(['types', 'lint', 'unit', 'api', 'system', 'browser']);
  });

  it('accepts the name of every service and workspace', () => {
    expect(chooseAreas(CHECKOUT, ['projects'])[0]?.paths).toEqual(['/services/projects/']);
    expect(chooseAreas(CHECKOUT, ['service-kit'])[0]?.paths).toEqual(['/packages/service-kit/']);
    expect(chooseAreas(CHECKOUT, ['gateway'])[0]?.paths).toEqual(['/gateway/']);
  });

  it('accepts the path of a test file, and lists the choices for an unknown area', () => {
    expect(chooseAreas(CHECKOUT, ['packages/dev-server/lock.test.ts'])[0]?.paths).toEqual([
      'packages/dev-server/lock.test.ts',
    ]);
    expect(() => chooseAreas(CHECKOUT, ['projets'])).toThrow(/Unknown area "projets". Choose from types, lint, unit/);
  });
});

describe('selectCoverageChecks', () => {
  const selectChecks = (names: string[], isCi: boolean) => {
    const { due, skipped } = selectCoverageChecks(chooseAreas(CHECKOUT, names), isCi);
    return { due: due.map(({ check, args }) => [check.name, ...args]), skipped: skipped.map(({ name }) => name) };
  };
  const selectLocalChecks = (...names: string[]) => selectChecks(names, false);

  it('selects the checks whose areas run completely', () => {
    const all = { due: [['texts', '--missing'], ['contracts']], skipped: [] };
    expect(selectLocalChecks()).toEqual(all);
    expect(selectLocalChecks('browser', 'api')).toEqual(all);
    expect(selectLocalChecks('browser')).toEqual({ due: [['texts', '--missing']], skipped: ['contracts'] });
    expect(selectLocalChecks('projects', 'gateway')).toEqual({
      due: [['contracts', 'projects', 'gateway']],
      skipped: ['texts'],
    });
  });

  it('skips the text check in CI, because CI omits slow suites', () => {
    expect(selectChecks([], true)).toEqual({ due: [['contracts']], skipped: ['texts'] });
  });

  it('selects no check if no area runs completely', () => {
    const none = { due: [], skipped: ['texts', 'contracts'] };
    expect(selectLocalChecks('unit', 'system')).toEqual(none);
    expect(selectLocalChecks('web', 'service-kit', 'services/projects/test/tasks.api.test.ts')).toEqual(none);
  });
});

describe('readCounts', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-counts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const counts = (numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number, code: number) => {
    const file = join(folder, 'report.json');
    const testResults = [
      {
        name: join(folder, 'lists.test.ts'),
        status: numFailedTests ? 'failed' : 'passed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'a list is empty', failureMessages: [] },
          ...(numFailedTests
            ? [
                {
                  status: 'failed',
                  fullName: 'a list is full',
                  failureMessages: ['\u001b[31mExpected: 3\u001b[0m\n\nHave: 2'],
                },
              ]
            : []),
        ],
      },
      ...(numRuntimeErrorTestSuites
        ? [{ name: join(folder, 'broken.test.ts'), status: 'failed', message: 'cannot load', assertionResults: [] }]
        : []),
    ];
    const counts = { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults };
    writeFileSync(file, JSON.stringify(counts));
    return readCounts(file, code, folder);
  };

  it('reads the counts of the report', async () => {
    expect(await counts(12, 0, 0, 0)).toEqual({ passed: 12, failed: 0, failures: [] });
    expect(await counts(12, 1, 1, 1)).toEqual({
      passed: 12,
      failed: 2,
      failures: ['lists.test.ts › a list is full\n    Expected: 3\n    Have: 2', 'broken.test.ts\n    cannot load'],
    });
  });

  it('counts a failure if the run fails without a failed test or without a report', async () => {
    expect(await counts(12, 0, 0, 1)).toMatchObject({ passed: 12, failed: 1 });
    expect(await readCounts(join(folder, 'missing.json'), 0, folder)).toMatchObject({ passed: 0, failed: 1 });
  });
});
