import { accountSecured } from '@atrium/proto-events/events/auth';
import { summaryPosted } from '@atrium/proto-events/events/chat';
import { meetingReplied } from '@atrium/proto-events/events/notifications';
import { decisionResolved, projectDeleted, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { userDeparted } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import { revokeFeedOnAccountSecured } from './calendar-feed/manage-feed.ts';
import {
  clearDecisionTask,
  clearProjectTasks,
  recordDecisionOutcome,
  recordSummaryPosted,
  syncDecisionTask,
} from './closing/decision-events.ts';
import { removeDepartedUser } from './departures/on-user-departed.ts';
import type { Deps } from './deps.ts';
import { applyEmailRsvp } from './meetings/respond-by-email.ts';

export const subscriptions = (deps: Deps) => [
  subscription({
    name: 'decisions',
    from: 'all',
    reactions: [
      on(decisionResolved, recordDecisionOutcome),
      on(taskUpdated, syncDecisionTask),
      on(taskDeleted, clearDecisionTask),
      on(projectDeleted, clearProjectTasks),
    ],
  }),
  subscription({ name: 'summaries', from: 'all', reactions: [on(summaryPosted, recordSummaryPosted)] }),
  subscription({ name: 'replies', from: 'all', reactions: [on(meetingReplied, applyEmailRsvp)] }),
  subscription({ name: 'departures', from: 'all', reactions: [on(userDeparted, removeDepartedUser(deps))] }),
  subscription({ name: 'account-security', from: 'all', reactions: [on(accountSecured, revokeFeedOnAccountSecured)] }),
];
