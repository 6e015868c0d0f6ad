import { waitFor } from '@atrium/test-kit/wait-for';
import { runDemo } from '../../tools/demo/demo.ts';
import { type Ledger, trackAcknowledgedWrites } from '../simulation/acknowledged-writes.ts';
import { describeDelivery, judgeDelivery, messagesIn } from '../simulation/delivery.ts';
import type { Judge } from '../simulation/judge.ts';
import { openListeners } from '../simulation/listeners.ts';
import { findLost, findUnheard } from '../simulation/verify.ts';
import { faultsIn, startWork, type Work } from '../simulation/work.ts';
import type { Deployment } from './deploy-overlay.ts';

/** Nobody should notice more than this of a pod that goes. */
const AWAY_LIMIT_MS = 3_000;
/** How many of the twenty have their chat open. */
const SOCKETS = 20;

/** Twenty people at work in the cluster, and what they have noticed. */
export type Office = {
  base: string;
  ledger: Ledger;
  work: Work;
  /** All that went wrong since that moment for those at work: calls that failed, and sockets that were away too long. */
  noticed(since: number): string[];
  /** Whether the cluster leads them to a gateway: a little later than its pod is ready, since every node has to hear of that pod. */
  isReached(): Promise<boolean>;
  /** In one line, what they did since that moment. */
  tell(since: number): string;
  close(judge: Judge): Promise<void>;
};

/** Fills the workspace with the demo and sets twenty of its people to work. */
export async function openCalendarTeam({ base, setupToken }: Deployment): Promise<Office> {
  await runDemo({ baseUrl: base, setupToken, say: () => undefined });
  const ledger = trackAcknowledgedWrites();
  const work = await startWork(base, ledger, { people: SOCKETS, pauseMs: [500, 1_500], atOnce: 3 });
  const listeners = openListeners(base, work.site, SOCKETS);
  const awaySince = (since: number) =>
    listeners.flatMap(({ who, absences }) => absences(since).map((absence) => ({ who, ...absence })));
  return {
    base,
    ledger,
    work,
    noticed(since) {
      const long = awaySince(since).filter(({ ms }) => ms > AWAY_LIMIT_MS);
      return [
        ...faultsIn(ledger, since, Number.POSITIVE_INFINITY),
        ...long.map(
          ({ who, namespace, from, ms }) =>
            `the socket of ${who} on ${namespace} was away for ${(ms / 1_000).toFixed(1)} s from ${from.toISOString()}`,
        ),
      ];
    },
    isReached: () =>
      fetch(base).then(
        async (answer) => (await answer.text()).length > 0 && answer.ok,
        () => false,
      ),
    tell(since) {
      const calls = ledger.since(since);
      const times = calls.map(({ ms }) => ms).sort((one, other) => one - other);
      const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
      const away = awaySince(since);
      const longest = Math.max(0, ...away.map(({ ms }) => ms));
      return `${calls.length} calls, p95 ${p95.toFixed(0)} ms; ${away.length} sockets came back, the longest after ${(longest / 1_000).toFixed(1)} s`;
    },
    async close(judge) {
      await work.rest();
      for (const [kind, { acknowledged, lost }] of Object.entries(await findLost(base, work.site, ledger)))
        judge(`${acknowledged} acknowledged of kind ${kind} are there`, lost.slice(0, 5));
      const deliver = () => judgeDelivery(listeners, messagesIn(ledger));
      const isHeard = () => findUnheard(listeners, ledger).length === 0 && deliver().faults.length === 0;
      await waitFor(isHeard, { what: 'all to be heard' }).catch(() => undefined);
      judge(`${listeners.length} sockets heard every message`, findUnheard(listeners, ledger));
      const delivery = deliver();
      judge(describeDelivery(delivery), delivery.faults);
      for (const listener of listeners) listener.close();
    },
  };
}
