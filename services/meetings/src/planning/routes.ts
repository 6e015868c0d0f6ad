import * as contract from '@atrium/proto-events/http/meeting-planning';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { findFreeTimes, listBusyTimes } from './read-busy.ts';

export const planningRoutes = (deps: Deps) => [
  handle(contract.listBusyTimes, ({ body }, caller) => listBusyTimes(deps, caller, body)),
  handle(contract.findFreeTimes, ({ body }, caller) => findFreeTimes(deps, caller, body)),
];
