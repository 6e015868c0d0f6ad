import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import type { Endpoint } from '@atrium/proto-events/endpoint';
import { expect } from '@jest/globals';
import { send } from '../../workspace/workspace.ts';
import type { Attack } from './attack.ts';

const nest = (levels: number, [open, close]: readonly [string, string]) =>
  `{"deep":${open.repeat(levels)}1${close.repeat(levels)}}`;

/** For each service, an endpoint whose idempotency key is computed from the body before validation. */
const CALLS = ['auth', 'users', 'projects', 'meetings', 'documents', 'chat'].flatMap((name) => {
  const found = ALL_ENDPOINTS.find(
    ({ service, endpoint }: { service: string; endpoint: Endpoint }) =>
      service === name && endpoint.idempotent === true && endpoint.body !== undefined,
  );
  return found ? [found.endpoint as Endpoint] : [];
});

export const deepJson: Attack = {
  name: 'deeply nested JSON is rejected without a server error',
  run: async ({ url, admin }) => {
    expect(CALLS.length).toBeGreaterThan(3);
    for (const { method, path } of CALLS) {
      for (const pair of [['{"a":', '}'] as const, ['[', ']'] as const]) {
        const answer = await send(`${url}/api${path.replaceAll(/:\w+/g, 'a'.repeat(24))}`, {
          method,
          headers: {
            authorization: `Bearer ${admin.token}`,
            'content-type': 'application/json',
            'idempotency-key': `deep ${pair[0]}`,
          },
          body: nest(9_000, pair),
        });
        expect({ path, status: answer.status, body: answer.body }).toMatchObject({
          status: 400,
          body: { message: ['The request must have at most 64 levels of objects and lists'] },
        });
      }
    }
  },
};
