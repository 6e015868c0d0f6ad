import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { chooseAreas } from './areas.ts';
import { chooseJudges } from './coverage-records.ts';
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
    expect(chooseAreas(CHECKOUT, ['packages/dev-server/lock.test.ts'])[0]?.paths).toEqual([
      'packages/dev-server/lock.test.ts',
    ]);
    expect(() => chooseAreas(CHECKOUT, ['projets'])).toThrow(
      /There is no area "projets". Choose from types, lint, unit/,
    );
  });
});

describe('the judges of what the tests of a run have seen', () => {
  const judgesOf = (words: string[], isCi: boolean) => {
    const { due, unjudged } = chooseJudges(chooseAreas(CHECKOUT, words), isCi);
    return { due: due.map(({ judge, args }) => [judge.name, ...args]), unjudged: unjudged.map(({ name }) => name) };
  };
  const judges = (...words: string[]) => judgesOf(words, false);

  it('judge a whole run, and of another what ran in whole', () => {
    const all = { due: [['texts', '--missing'], ['evidence']], unjudged: [] };
    expect(judges()).toEqual(all);
    expect(judges('browser', 'api')).toEqual(all);
    expect(judges('browser')).toEqual({ due: [['texts', '--missing']], unjudged: ['evidence'] });
    expect(judges('projects', 'gateway')).toEqual({ due: [['evidence', 'projects', 'gateway']], unjudged: ['texts'] });
  });

  it('judge no texts in CI, which leaves slow suites out', () => {
    expect(judgesOf([], true)).toEqual({ due: [['evidence']], unjudged: ['texts'] });
  });

  it('say nothing about pieces', () => {
    const none = { due: [], unjudged: ['texts', 'evidence'] };
    expect(judges('unit', 'system')).toEqual(none);
    expect(judges('web', 'service-kit', 'services/projects/test/tasks.api.test.ts')).toEqual(none);
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

  it('come from the report', async () => {
    expect(await counts(12, 0, 0, 0)).toEqual({ passed: 12, failed: 0, failures: [] });
    expect(await counts(12, 1, 1, 1)).toEqual({
      passed: 12,
      failed: 2,
      failures: ['lists.test.ts › a list is full\n    Expected: 3\n    Have: 2', 'broken.test.ts\n    cannot load'],
    });
  });

  it('are never all good when the run was not', async () => {
    expect(await counts(12, 0, 0, 1)).toMatchObject({ passed: 12, failed: 1 });
    expect(await readCounts(join(folder, 'missing.json'), 0, folder)).toMatchObject({ passed: 0, failed: 1 });
  });
});
