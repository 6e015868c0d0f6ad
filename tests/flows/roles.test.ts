import { type System, startSystem } from '@atrium/local/system/start-system';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CAST, type Row, type Who } from './roles/row.ts';
import { ACCOUNTS } from './roles/rows-of-accounts.ts';
import { PEOPLE } from './roles/rows-of-people.ts';
import { PROJECTS_AND_TASKS } from './roles/rows-of-projects.ts';
import { WORK } from './roles/rows-of-work.ts';
import { makeWorld, type World } from './roles/world.ts';
import { type Answer, send } from './workspace.ts';

/** The table of the specification's section 6, spelled out for every call. */
const TABLE: readonly Row[] = [...ACCOUNTS, ...PEOPLE, ...PROJECTS_AND_TASKS, ...WORK];

// The table makes hundreds of calls within its minute, from one address.
const PLENTY = {
  RATE_LIMIT_USER: '100000',
  RATE_LIMIT_ADDRESS: '100000',
  RATE_LIMIT_SIGN_IN: '100000',
  RATE_LIMIT_CLIENT_ERRORS: '1000',
};

let system: System;
let world: World;

beforeAll(async () => {
  system = await startSystem({ env: PLENTY });
  world = await makeWorld(system.url);
}, 240_000);
afterAll(() => system?.stop(), 90_000);

/** Makes the call of a row as one of the cast. */
async function callAs(who: Who, { call, send: prepare }: Row): Promise<Answer> {
  const { params = {}, query = {}, body, form, as = world.cast[who] } = await prepare(world, who);
  const [method = '', template = ''] = call.split(' ');
  const path = template.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? '');
  const headers = {
    ...(as && { authorization: `Bearer ${as.token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const content = form ?? (body === undefined ? undefined : JSON.stringify(body));
  const search = new URLSearchParams(query).toString();
  return send(`${system.url}/api${path}${search && `?${search}`}`, {
    method,
    headers,
    ...(content !== undefined && { body: content }),
  });
}

const REFUSALS = {
  message: expect.anything(),
  code: expect.stringMatching(/^[a-z_]+$/),
  requestId: expect.any(String),
};

describe('every role against every call', () => {
  it.each(TABLE.map((row) => [[row.call, row.when].filter(Boolean).join(', '), row] as const))(
    '%s',
    async (_call, row) => {
      const answers = new Map<Who, Answer>();
      for (const who of CAST) answers.set(who, await callAs(who, row));
      expect(Object.fromEntries([...answers].map(([who, { status }]) => [who, status]))).toEqual(row.statuses);
      for (const { status, body } of answers.values())
        if (status >= 400) expect(body).toEqual(expect.objectContaining(REFUSALS));
    },
  );

  it('has a row for each call there is, and for no other', () => {
    const calls = ALL_ENDPOINTS.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
    expect([...new Set(TABLE.map(({ call }) => call))].sort()).toEqual(calls.sort());
  });
});
