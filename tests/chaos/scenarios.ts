import type { Scenario } from './scenario.ts';
import { clockShifts } from './scenarios/clock-shifts.ts';
import { concurrentStarts } from './scenarios/concurrent-starts.ts';
import { crashes } from './scenarios/crashes.ts';
import { dependencyOutages } from './scenarios/dependency-outages.ts';
import { fullDisks } from './scenarios/full-disks.ts';
import { killsOf } from './scenarios/kills.ts';
import { networkOutages } from './scenarios/network-outages.ts';
import { processPauses } from './scenarios/process-pauses.ts';

/** All scenarios in their order; random choices follow the seed. */
export const scenariosOf = (seed: number): readonly Scenario[] => [
  ...crashes,
  ...killsOf(seed),
  ...processPauses,
  concurrentStarts,
  ...dependencyOutages,
  ...networkOutages,
  ...fullDisks,
  ...clockShifts,
];
