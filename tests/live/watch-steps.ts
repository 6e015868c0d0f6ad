import type { Stores } from '@atrium/test-kit/system/stores';
import type { Browser, Outcome } from './browser.ts';
import { listEvents, readSequences, type Sequences, waitUntilSent } from './idle.ts';
import type { Marker } from './marker.ts';
import { pairs, runSteps, STEP_NAMES, shuffleSteps } from './steps/all-steps.ts';
import type { Workspace } from './workspace-state.ts';

/** A response that differs from a fresh one, although no change made it stale. */
type Difference = {
  steps: readonly string[];
  user: string;
  key: string;
  /** Whether the changes edited the response, or none of them affected it. */
  kind: Outcome['kind'];
  differences: readonly string[];
  events: readonly string[];
  changes: readonly string[];
};

export type Report = {
  differences: Difference[];
  outcomes: Outcome[];
  /** Steps that had nothing to change. */
  skipped: string[];
};

type Watched = { browsers: readonly Browser[]; marker: Marker; stores: Stores };

/** How often steps that had nothing to change are repeated at the end. */
const REPETITIONS = 2;

/** Runs all steps in the order of the seed, and compares all responses after each pair. */
export async function watchSteps(workspace: Workspace, seed: number, watched: Watched): Promise<Report> {
  const { browsers, stores } = watched;
  const report: Report = { differences: [], outcomes: [], skipped: STEP_NAMES };
  // Includes what happened before the sockets were connected.
  let { until: from } = await compareAll(watched);
  for (const browser of browsers) browser.refresh();
  const run = async (names: readonly string[]) => {
    const steps = await runSteps(workspace, names);
    if (steps.length === 0) return;
    report.skipped = report.skipped.filter((name) => !steps.includes(name));
    const { outcomes, until } = await compareAll(watched);
    for (const [browser, outcome] of outcomes) {
      report.outcomes.push(outcome);
      if (outcome.differences.length === 0) continue;
      const changes = browser.changes().map((change) => JSON.stringify({ ...change, item: change.item && {} }));
      const events = await listEvents(stores, from, until);
      report.differences.push({ steps, user: browser.name, ...outcome, events, changes });
    }
    for (const browser of browsers) browser.refresh();
    from = until;
  };
  for (const pair of pairs(shuffleSteps(seed))) await run(pair);
  for (let round = 0; round < REPETITIONS; round += 1) for (const pair of pairs(report.skipped)) await run(pair);
  return report;
}

/** Compares all responses; again if an event came in between. */
async function compareAll(watched: Watched): Promise<{ outcomes: [Browser, Outcome][]; until: Sequences }> {
  const { browsers, marker, stores } = watched;
  const until = await waitUntilSent(stores, marker);
  const outcomes: [Browser, Outcome][] = [];
  for (const browser of browsers) for (const outcome of await browser.compare()) outcomes.push([browser, outcome]);
  const last = await readSequences(stores);
  return last.join() === until.join() ? { outcomes, until } : compareAll(watched);
}
