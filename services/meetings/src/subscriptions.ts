import { accountSecured } from '@atrium/proto-events/events/auth';
import { summaryPosted } from '@atrium/proto-events/events/chat';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import { decisionResolved, projectDeleted, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { userDeactivated } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { revokeFeedOnAccountSecured } from './calendar-feed/on-account-secured.ts';
import {
  clearDecisionTask,
  clearProjectTasks,
  recordDecisionOutcome,
  recordSummaryPosted,
  syncDecisionTask,
} from './closing/on-decision-events.ts';
import { removeDeactivatedUser } from './departures/on-user-deactivated.ts';
import type { Deps } from './deps.ts';
import { applyEmailRsvp } from './meetings/on-meeting-replied.ts';

export const subscriptions = (deps: Deps) => [
  subscription({
    name: 'decisions',
    from: 'all',
    handlers: [
      on(decisionResolved, recordDecisionOutcome),
      on(taskUpdated, syncDecisionTask),
      on(taskDeleted, clearDecisionTask),
      on(projectDeleted, clearProjectTasks),
    ],
  }),
  subscription({ name: 'summaries', from: 'all', handlers: [on(summaryPosted, recordSummaryPosted)] }),
  subscription({ name: 'replies', from: 'all', handlers: [on(meetingReplied, applyEmailRsvp)] }),
  subscription({ name: 'departures', from: 'all', handlers: [on(userDeactivated, removeDeactivatedUser(deps))] }),
  subscription({ name: 'account-security', from: 'all', handlers: [on(accountSecured, revokeFeedOnAccountSecured)] }),
];
