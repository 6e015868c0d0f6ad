import { summaryPosted } from '@atrium/proto-events/events/chat-summaries';
import { decisionAnswered } from '@atrium/proto-events/events/project-decisions';
import { projectDeleted, taskDeleted, taskUpdated } from '@atrium/proto-events/events/projects';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import {
  clearDecisionTask,
  clearProjectTasks,
  followTaskOfDecision,
  noteAnswer,
  notePosted,
} from './decision-events.ts';

/** What projects and their conversations make of closed meetings. From the first event on: what they hear of is never older than a meeting's closing. */
export const closingSubscriptions = [
  subscription({
    name: 'decisions',
    from: 'all',
    reactions: [
      on(decisionAnswered, noteAnswer),
      on(taskUpdated, followTaskOfDecision),
      on(taskDeleted, clearDecisionTask),
      on(projectDeleted, clearProjectTasks),
    ],
  }),
  subscription({ name: 'summaries', from: 'all', reactions: [on(summaryPosted, notePosted)] }),
];
