import * as contract from '@atrium/proto-events/http/activity';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { listActivity } from './list-activity.ts';

export const activityRoutes = (deps: Deps) => [
  handle(contract.listActivity, ({ query }) => deps.store.reach(() => listActivity(deps, query))),
];
