import type { Endpoint } from '@atrium/proto-events/endpoint';
import { type ErrorCode, STATUS_OF } from '@atrium/proto-events/errors';
import { findCalledEndpoint } from '@atrium/test-kit/assert-contract';
import type { RecordedResponse } from '@atrium/test-kit/coverage-records';
import { z } from 'zod';

type Entry = { service: string; endpoint: Endpoint };

export type Outcome = number | ErrorCode;

/** Returns whether a query rejects some value. A query with only `page` and `limit` accepts nearly every one. */
function canBeInvalid(query: z.ZodType): boolean {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  const invalidValues = ['99999999', 'x'.repeat(10_000)];
  return invalidValues.some((value) => {
    const input = Object.fromEntries(Object.keys(properties).map((name) => [name, value]));
    return !query.safeParse(input).success;
  });
}

/** Returns every success, invalid input, unauthenticated calls, and the endpoint's own errors. */
export function listExpectedOutcomes(endpoint: Endpoint): Outcome[] {
  const { access, params, query, body, multipart, binaryBody, status, alternateStatus, errors = [] } = endpoint;
  return [
    ...new Set<Outcome>([
      status,
      ...(alternateStatus ? [alternateStatus] : []),
      ...(body || multipart || binaryBody || (query && canBeInvalid(query)) ? (['validation_failed'] as const) : []),
      ...(access === 'public' ? [] : (['unauthorized'] as const)),
      ...(access === 'admin' ? (['forbidden'] as const) : []),
      ...(params ? (['not_found'] as const) : []),
      ...errors,
    ]),
  ];
}

const hasOutcome = ({ status, code }: RecordedResponse, outcome: Outcome): boolean =>
  typeof outcome === 'number' ? status === outcome : code === outcome && status === STATUS_OF[outcome];

export function findUntested(
  entries: readonly Entry[],
  responses: readonly RecordedResponse[],
): { call: string; unseen: Outcome[] }[] {
  const byEntry = Map.groupBy(responses, (response) => findCalledEndpoint(response, entries));
  return entries.flatMap((entry) => {
    const seen = byEntry.get(entry) ?? [];
    const unseen = listExpectedOutcomes(entry.endpoint).filter(
      (outcome) => !seen.some((response) => hasOutcome(response, outcome)),
    );
    return unseen.length > 0 ? [{ call: `${entry.endpoint.method} ${entry.endpoint.path}`, unseen }] : [];
  });
}
