import * as contract from '@atrium/proto-events/http/rooms';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { createRoom, deleteRoom, listRooms, updateRoom } from './manage-rooms.ts';

export const roomRoutes = (deps: Deps) => [
  handle(contract.listRooms, ({ query }, caller) => listRooms(deps, caller, query)),
  handle(contract.createRoom, ({ body }, caller) => createRoom(deps, caller, body)),
  handle(contract.updateRoom, ({ params, body }, caller) => updateRoom(deps, caller, { id: params.id, body })),
  handle(contract.deleteRoom, ({ params }, caller) => deleteRoom(deps, caller, params.id)),
];
