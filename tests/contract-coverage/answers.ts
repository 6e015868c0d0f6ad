import type { Endpoint } from '@atrium/proto-events/endpoint';
import { type ErrorCode, STATUS_OF } from '@atrium/proto-events/errors';
import { calledBy } from '@atrium/test-kit/assert-contract';
import type { NotedAnswer } from '@atrium/test-kit/coverage-records';
import { z } from 'zod';

type Entry = { service: string; endpoint: Endpoint };

/** What a call must have been seen to answer: a success by its status, a refusal by its code. */
export type Outcome = number | ErrorCode;

/** Whether a list can be asked for wrongly at all; one that knows only `page` and `limit` makes sense of nearly anything. */
function canRefuse(query: z.ZodType): boolean {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  const nonsense = ['99999999', 'x'.repeat(10_000)];
  return nonsense.some((value) => {
    const asked = Object.fromEntries(Object.keys(properties).map((name) => [name, value]));
    return !query.safeParse(asked).success;
  });
}

/** Every success that the contract declares, and every refusal that it demands: of bad input, of strangers, and its own. */
export function outcomesOf(endpoint: Endpoint): Outcome[] {
  const { access, params, query, body, multipart, bytes, status, alternateStatus, errors = [] } = endpoint;
  return [
    ...new Set<Outcome>([
      status,
      ...(alternateStatus ? [alternateStatus] : []),
      ...(body || multipart || bytes || (query && canRefuse(query)) ? (['validation_failed'] as const) : []),
      ...(access === 'public' ? [] : (['unauthorized'] as const)),
      ...(access === 'admin' ? (['forbidden'] as const) : []),
      ...(params ? (['not_found'] as const) : []),
      ...errors,
    ]),
  ];
}

const hasOutcome = ({ status, code }: NotedAnswer, outcome: Outcome): boolean =>
  typeof outcome === 'number' ? status === outcome : code === outcome && status === STATUS_OF[outcome];

/** The calls whose tests never saw some of what they must, and what. */
export function findUntested(
  entries: readonly Entry[],
  answers: readonly NotedAnswer[],
): { call: string; unseen: Outcome[] }[] {
  const byEntry = Map.groupBy(answers, (answer) => calledBy(answer, entries));
  return entries.flatMap((entry) => {
    const seen = byEntry.get(entry) ?? [];
    const unseen = outcomesOf(entry.endpoint).filter((outcome) => !seen.some((answer) => hasOutcome(answer, outcome)));
    return unseen.length > 0 ? [{ call: `${entry.endpoint.method} ${entry.endpoint.path}`, unseen }] : [];
  });
}
