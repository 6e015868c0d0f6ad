import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { runTool } from '../process-manager/run-tool.ts';
import type { Area } from './areas.ts';
import type { AreaResult, Surroundings } from './run-area.ts';

/** Where the tests of a run write down what they see. */
export const EVIDENCE = join(CHECKOUT, 'output/evidence');

/** Holds what the tests of a run have seen against what they must see. */
export interface Judge {
  name: string;
  /** The kinds of evidence that it reads; see the test kit's `evidence.ts`. */
  kinds: string[];
  script: string;
  /** What the script is told; undefined where too little runs to judge anything. */
  args(areas: readonly Area[], isCi: boolean): string[] | undefined;
  /** What would have to run. */
  needs: string;
}

const serviceOf = ({ name, paths }: Area): string[] =>
  [`/services/${name}/`, '/gateway/'].includes(paths[0] ?? '') ? [name] : [];

const JUDGES: readonly Judge[] = [
  {
    name: 'texts',
    kinds: ['text'],
    script: 'tests/spec-coverage/print-strings.ts',
    // CI leaves slow suites out, see `jest.config.mjs`.
    args: (areas, isCi) => (areas.some(({ name }) => name === 'browser') && !isCi ? ['--missing'] : undefined),
    needs: 'the whole area browser, outside of CI',
  },
  {
    name: 'evidence',
    kinds: ['answer', 'event'],
    script: 'tests/contract-coverage/print-evidence.ts',
    args(areas) {
      if (areas.some(({ name }) => name === 'api')) return [];
      const services = areas.flatMap(serviceOf);
      return services.length > 0 ? services : undefined;
    },
    needs: 'the whole area api, or a service',
  },
];

export interface Due {
  judge: Judge;
  args: string[];
}

/** Which judges can say something at the end of a run of these areas, and about what; the others are named with what they need. */
export const chooseJudges = (areas: readonly Area[], isCi: boolean): { due: Due[]; unjudged: Judge[] } => {
  const chosen = JUDGES.map((judge) => ({ judge, args: judge.args(areas, isCi) }));
  return {
    due: chosen.flatMap(({ judge, args }) => (args ? [{ judge, args }] : [])),
    unjudged: chosen.flatMap(({ judge, args }) => (args ? [] : [judge])),
  };
};

/** Has the tests of this run write down what they see, and forgets what earlier ones wrote for these judges. */
export const keepEvidence = async (due: readonly Due[]): Promise<void> => {
  if (due.length === 0) return;
  process.env.CONTRACT_COVERAGE_DIR ??= EVIDENCE;
  const folder = process.env.CONTRACT_COVERAGE_DIR;
  const kinds = due.flatMap(({ judge }) => judge.kinds);
  const files = await readdir(folder).catch(() => []);
  const old = files.filter((file) => kinds.some((kind) => file.startsWith(`${kind}-`)));
  await Promise.all(old.map((file) => rm(join(folder, file), { force: true })));
};

/** Has one judge look at what was written down. */
export const judgeEvidence = async ({ judge, args }: Due, { root, guard }: Surroundings): Promise<AreaResult> => {
  const began = Date.now();
  const { code, output } = await runTool(join(root, judge.script), args, { cwd: root, guard });
  const isGood = code === 0;
  return {
    name: judge.name,
    passed: isGood ? 1 : 0,
    failed: isGood ? 0 : 1,
    failures: isGood ? [] : [output.trim()],
    output: '',
    seconds: (Date.now() - began) / 1000,
  };
};
