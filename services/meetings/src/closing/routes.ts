import * as contract from '@atrium/proto-events/http/after-meeting/closing';
import { writeNotes as notesContract } from '@atrium/proto-events/http/after-meeting/notes';
import { handle } from '@atrium/service-kit/http/handle';
import { idempotencyKey } from '@atrium/service-kit/http/idempotency';
import type { Deps } from '../deps.ts';
import { writeNotes } from '../notes/write-notes.ts';
import { closeMeeting } from './close-meeting.ts';
import { getClosing, listOpenDecisions } from './read-closing.ts';
import { reopenMeeting } from './reopen-meeting.ts';
import { updateDecision } from './update-decision.ts';

export const closingRoutes = (deps: Deps) => [
  handle(contract.listOpenDecisions, ({ query }, caller) => listOpenDecisions(deps, caller, query)),
  handle(contract.getClosing, ({ params }, caller) => getClosing(deps, caller, params.id)),
  handle(contract.closeMeeting, ({ params, body }, caller, { req }) =>
    // The version is excluded from the key: a retry may be based on a newer one.
    closeMeeting(deps, caller, { id: params.id, body, key: idempotencyKey(req, ['version']) }),
  ),
  handle(contract.reopenMeeting, ({ params }, caller) => reopenMeeting(deps, caller, params.id)),
  handle(contract.updateDecision, ({ params, body }, caller) =>
    updateDecision(deps, caller, { id: params.id, decisionId: params.decisionId, body }),
  ),
  handle(notesContract, ({ params, body }, caller, { req }) =>
    writeNotes(deps, caller, { id: params.id, body, key: idempotencyKey(req) }),
  ),
];
