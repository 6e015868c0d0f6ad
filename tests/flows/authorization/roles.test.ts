import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../../workspace/workspace.ts';
import { ACTORS, type ActorName, createRoleFixture, type RoleFixture } from './roles/role-fixture.ts';
import { prepareCall } from './roles/row.ts';
import { describeRow, TABLE, TABLE_LIMITS } from './roles/table.ts';

let system: System;
let fixture: RoleFixture;

beforeAll(async () => {
  system = await startSystem({ env: TABLE_LIMITS, expectedErrors: [/Client error reported/] });
  fixture = await createRoleFixture(system.url);
});
afterAll(() => system?.stop());

const ERROR_BODY = {
  message: expect.anything(),
  code: expect.stringMatching(/^[a-z_]+$/),
  requestId: expect.any(String),
};

describe('an endpoint', () => {
  it.each(TABLE.map((row) => [describeRow(row), row] as const))(
    'returns the expected status for each role: %s',
    async (_call, row) => {
      const responses = new Map<ActorName, ApiResponse>();
      for (const who of ACTORS) responses.set(who, await (await prepareCall(fixture, who, row))());
      expect(Object.fromEntries([...responses].map(([who, { status }]) => [who, status]))).toEqual(row.statuses);
      for (const { status, body } of responses.values())
        if (status >= 400) expect(body).toEqual(expect.objectContaining(ERROR_BODY));
    },
  );
});
