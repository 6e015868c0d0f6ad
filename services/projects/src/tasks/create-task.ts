import type { createTaskBody } from '@atrium/proto-events/http/tasks';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { type IdempotencyKey, withIdempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { addTask } from './add-task.ts';
import { presentTask } from './present-task.ts';

type Body = z.output<typeof createTaskBody>;

export async function createTask(
  { db, directory }: Deps,
  caller: Caller,
  { body, key }: { body: Body; key: IdempotencyKey | undefined },
) {
  return withIdempotencyKey(db, { caller, key }, async (tx) =>
    presentTask(directory, caller, await addTask(tx, directory, caller, body)),
  );
}
