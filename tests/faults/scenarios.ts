import type { Scenario } from './scenario.ts';
import { brokenLines } from './scenarios/broken-lines.ts';
import { crashes } from './scenarios/crashes.ts';
import { fullDisks } from './scenarios/full-disks.ts';
import { killsOf } from './scenarios/kills.ts';
import { manyStarts } from './scenarios/many-starts.ts';
import { clocksOff } from './scenarios/off-clocks.ts';
import { partsAway } from './scenarios/parts-away.ts';
import { standstills } from './scenarios/standstills.ts';

/** Everything that goes wrong, in this order; chance follows the seed. */
export const scenariosOf = (seed: number): readonly Scenario[] => [
  ...crashes,
  ...killsOf(seed),
  ...standstills,
  manyStarts,
  ...partsAway,
  ...brokenLines,
  ...fullDisks,
  ...clocksOff,
];
