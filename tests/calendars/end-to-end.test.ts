import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CalendarTeam } from './calendar-team.ts';
import { openEndToEndTeam } from './end-to-end-team.ts';
import { runHistory } from './history.ts';

/** The number of histories. Run more with `CALENDAR_FUZZ_E2E_RUNS=40 npm test -- tests/calendars`. */
const HISTORIES = Number(process.env.CALENDAR_FUZZ_E2E_RUNS ?? 3);
const SEED = Number(process.env.CALENDAR_FUZZ_SEED ?? Date.now() % 1_000_000_000);
const STEPS = 7;

let team: CalendarTeam;
beforeAll(async () => {
  team = await openEndToEndTeam();
});
afterAll(() => team.close());

describe('calendars that receive every email through a mail server', () => {
  it(
    `show the same meetings as the meeting list: ${HISTORIES} histories from seed ${SEED}`,
    async () => {
      const differences: string[] = [];
      let emailCount = 0;
      for (let seed = SEED; seed < SEED + HISTORIES && differences.length < 2; seed += 1) {
        const outcome = await runHistory(team, seed, STEPS);
        emailCount += outcome.emails.length;
        if (outcome.difference)
          differences.push([`CALENDAR_FUZZ_SEED=${seed}`, ...outcome.steps, outcome.difference].join('\n'));
      }
      process.stdout.write(`end to end: seed ${SEED}, ${HISTORIES} histories, ${emailCount} emails\n`);
      expect(differences.join('\n\n').slice(0, 6_000)).toBe('');
      expect(emailCount).toBeGreaterThan(HISTORIES);
    },
    HISTORIES * 60_000 + 600_000,
  );
});
