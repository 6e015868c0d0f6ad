import * as contract from '@atrium/proto-events/http/meeting-feed';
import { handle } from '@atrium/service-kit/http/handle';
import type { Deps } from '../deps.ts';
import { createFeed, deleteFeed, getFeed } from './manage-feed.ts';
import { meetingFile } from './meeting-file.ts';
import { readFeed } from './read-feed.ts';

export const feedRoutes = (deps: Deps) => [
  handle(contract.getFeed, (_request, caller) => getFeed(deps, caller)),
  handle(contract.createFeed, (_request, caller) => createFeed(deps, caller)),
  handle(contract.deleteFeed, (_request, caller) => deleteFeed(deps, caller)),
  handle(contract.readFeed, ({ params }, _caller, exchange) => readFeed(deps, params.token, exchange)),
  handle(contract.getMeetingCalendar, ({ params, query }, caller, exchange) =>
    meetingFile(deps, caller, { id: params.id, scope: query.scope, exchange }),
  ),
];
