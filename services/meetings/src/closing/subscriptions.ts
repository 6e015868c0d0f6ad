import { summaryPosted } from '@atrium/proto-events/events/chat-summaries';
import { decisionResolved } from '@atrium/proto-events/events/project-decisions';
import { projectDeleted, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import {
  clearDecisionTask,
  clearProjectTasks,
  recordDecisionOutcome,
  recordSummaryPosted,
  syncDecisionTask,
} from './decision-events.ts';

/** From the first event on, since responses are never older than the closing of a meeting. */
export const closingSubscriptions = [
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
];
