import * as contract from '@atrium/proto-events/http/meetings';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { createMeeting } from './create-meeting.ts';
import { deleteMeeting } from './delete-meeting.ts';
import { listCalendar } from './read-calendar.ts';
import { getMeeting, getMeetingStats, listMeetings, listUpcoming } from './read-meetings.ts';
import { respondToMeeting } from './respond-to-meeting.ts';
import { updateMeeting } from './update-meeting.ts';

export const meetingRoutes = (deps: Deps) => [
  handle(contract.listMeetings, ({ query }, caller) => listMeetings(deps, caller, query)),
  handle(contract.listProjectMeetings, ({ params, query }, caller) =>
    listMeetings(deps, caller, { ...query, from: undefined, to: undefined, project: params.id }),
  ),
  handle(contract.listUpcomingMeetings, ({ query }, caller) => listUpcoming(deps, caller, query)),
  handle(contract.listCalendarMeetings, ({ query }, caller) => listCalendar(deps, caller, query)),
  handle(contract.getMeetingStats, ({ query }, caller) => getMeetingStats(deps, caller, query)),
  handle(contract.createMeeting, ({ body }, caller, { req }) =>
    createMeeting(deps, caller, { body, key: idempotencyKey(req) }),
  ),
  handle(contract.getMeeting, ({ params, query }, caller) =>
    getMeeting(deps, caller, { id: params.id, orNext: query.orNext }),
  ),
  handle(contract.updateMeeting, ({ params, query, body }, caller) =>
    updateMeeting(deps, caller, { id: params.id, scope: query.scope, body }),
  ),
  handle(contract.deleteMeeting, ({ params, query }, caller) =>
    deleteMeeting(deps, caller, { id: params.id, scope: query.scope }),
  ),
  handle(contract.respondToMeeting, ({ params, query, body }, caller) =>
    respondToMeeting(deps, caller, { id: params.id, scope: query.scope, body }),
  ),
];
