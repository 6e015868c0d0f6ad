import * as contract from '@atrium/proto-events/http/rooms';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { createRoom, deleteRoom, listRooms, updateRoom } from './manage-rooms.ts';

export const roomRoutes = (deps: Deps) => [
  handle(contract.listRooms, ({ query }, caller) => listRooms(deps, caller, query)),
  handle(contract.createRoom, ({ body }, caller, { req }) =>
    createRoom(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(contract.updateRoom, ({ params, body }, caller) => updateRoom(deps, caller, { id: params.id, body })),
  handle(contract.deleteRoom, ({ params }, caller) => deleteRoom(deps, caller, params.id)),
];
