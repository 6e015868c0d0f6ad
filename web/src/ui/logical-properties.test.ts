import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const SRC = join(import.meta.dirname, '..');

const PHYSICAL = [
  /^\s*(?:scroll-)?(?:margin|padding)-(?:left|right):/,
  /^\s*border-(?:left|right)(?:-(?:width|color|style))?:/,
  /^\s*border-(?:top|bottom)-(?:left|right)-radius:/,
  /^\s*(?:left|right): [^,]*;/,
  /^\s*(?:text-align|float|clear): (?:left|right);/,
];

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.(?:tsx?|css)$/.test(file),
);

const findLines = (patterns: readonly RegExp[]) =>
  FILES.flatMap((file) =>
    readFileSync(join(SRC, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        patterns.some((pattern) => pattern.test(line)) ? [`${file}:${index + 1} ${line.trim()}`] : [],
      ),
  );

// Computed positions, such as those on the axis of a calendar, are attributes and not declarations.
it('styles use logical properties instead of left and right', () => {
  expect(FILES.length).toBeGreaterThan(100);
  expect(findLines(PHYSICAL)).toEqual([]);
});

it('styles negate values of the theme by calc, because browsers ignore a minus before a variable', () => {
  expect(findLines([/[:\s]-\$\{theme\./])).toEqual([]);
});
