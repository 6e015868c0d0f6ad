import * as feeds from '@atrium/proto-events/http/meetings/calendar-feed';
import * as closing from '@atrium/proto-events/http/meetings/closing';
import * as meetings from '@atrium/proto-events/http/meetings/meetings';
import * as notes from '@atrium/proto-events/http/meetings/notes';
import * as planning from '@atrium/proto-events/http/meetings/planning';
import * as rooms from '@atrium/proto-events/http/meetings/rooms';
import { searchMeetings as searchContract } from '@atrium/proto-events/http/search/meetings';
import { closeSignal } from '@atrium/service-kit/http/close-signal';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import { createFeed, deleteFeed, getFeed } from './calendar-feed/manage-feed.ts';
import { writeMeetingFile } from './calendar-feed/meeting-file.ts';
import { readFeed } from './calendar-feed/read-feed.ts';
import { closeMeeting } from './closing/close-meeting.ts';
import { writeNotes } from './closing/notes.ts';
import { getClosing, listOpenDecisions } from './closing/read-closing.ts';
import { reopenMeeting } from './closing/reopen-meeting.ts';
import { updateDecision } from './closing/update-decision.ts';
import type { Deps } from './deps.ts';
import { createMeeting } from './meetings/create-meeting.ts';
import { deleteMeeting } from './meetings/delete-meeting.ts';
import {
  getMeeting,
  getMeetingStats,
  listCalendar,
  listMeetings,
  listUnanswered,
  listUpcoming,
} from './meetings/read-meetings.ts';
import { respondToMeeting } from './meetings/respond-to-meeting.ts';
import { updateMeeting } from './meetings/update-meeting.ts';
import { findFreeTimes, listBusyTimes } from './planning/read-busy.ts';
import { createRoom, deleteRoom, listRooms, updateRoom } from './rooms/manage-rooms.ts';
import { searchMeetings } from './search/search-meetings.ts';

export const meetingsRoutes = (deps: Deps) => [
  handle(meetings.listMeetings, ({ query }, caller) => listMeetings(deps, caller, query)),
  handle(meetings.listProjectMeetings, ({ params, query }, caller) =>
    listMeetings(deps, caller, { ...query, from: undefined, to: undefined, project: params.id }),
  ),
  handle(meetings.listUpcomingMeetings, ({ query }, caller) => listUpcoming(deps, caller, query)),
  handle(meetings.listUnansweredMeetings, ({ query }, caller) => listUnanswered(deps, caller, query)),
  handle(searchContract, ({ query }, caller, { res }) =>
    searchMeetings(deps, caller, { ...query, signal: closeSignal(res) }),
  ),
  handle(meetings.listCalendarMeetings, ({ query }, caller) => listCalendar(deps, caller, query)),
  handle(meetings.getMeetingStats, ({ query }, caller) => getMeetingStats(deps, caller, query)),
  handle(meetings.createMeeting, ({ body }, caller, { req }) =>
    createMeeting(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(meetings.getMeeting, ({ params, query }, caller) =>
    getMeeting(deps, caller, { id: params.id, orNext: query.orNext }),
  ),
  handle(meetings.updateMeeting, ({ params, query, body }, caller) =>
    updateMeeting(deps, caller, { id: params.id, scope: query.scope, body }),
  ),
  handle(meetings.deleteMeeting, ({ params, query }, caller) =>
    deleteMeeting(deps, caller, { id: params.id, scope: query.scope }),
  ),
  handle(meetings.respondToMeeting, ({ params, query, body }, caller) =>
    respondToMeeting(deps, caller, { id: params.id, scope: query.scope, body }),
  ),
  handle(planning.listBusyTimes, ({ body }, caller) => listBusyTimes(deps, caller, body)),
  handle(planning.findFreeTimes, ({ body }, caller) => findFreeTimes(deps, caller, body)),
  handle(rooms.listRooms, ({ query }, caller) => listRooms(deps, caller, query)),
  handle(rooms.createRoom, ({ body }, caller, { req }) => createRoom(deps, caller, { body, key: idempotencyKey(req) })),
  handle(rooms.updateRoom, ({ params, body }, caller) => updateRoom(deps, caller, { id: params.id, body })),
  handle(rooms.deleteRoom, ({ params }, caller) => deleteRoom(deps, caller, params.id)),
  handle(feeds.getFeed, (_request, caller) => getFeed(deps, caller)),
  handle(feeds.createFeed, (_request, caller) => createFeed(deps, caller)),
  handle(feeds.deleteFeed, (_request, caller) => deleteFeed(deps, caller)),
  handle(feeds.readFeed, ({ params }, _caller, exchange) => readFeed(deps, params.token, exchange)),
  handle(feeds.getMeetingCalendar, ({ params, query }, caller, exchange) =>
    writeMeetingFile(deps, caller, { id: params.id, scope: query.scope, exchange }),
  ),
  handle(closing.listOpenDecisions, ({ query }, caller) => listOpenDecisions(deps, caller, query)),
  handle(closing.getClosing, ({ params }, caller) => getClosing(deps, caller, params.id)),
  handle(closing.closeMeeting, ({ params, body }, caller, { req }) =>
    // The version is excluded from the key: a retry may be based on a newer one.
    closeMeeting(deps, caller, { id: params.id, body, key: idempotencyKey(req, ['version']) }),
  ),
  handle(closing.reopenMeeting, ({ params }, caller) => reopenMeeting(deps, caller, params.id)),
  handle(closing.updateDecision, ({ params, body }, caller) =>
    updateDecision(deps, caller, { id: params.id, decisionId: params.decisionId, body }),
  ),
  handle(notes.writeNotes, ({ params, body }, caller, { req }) =>
    writeNotes(deps, caller, { id: params.id, body, key: idempotencyKey(req) }),
  ),
];
