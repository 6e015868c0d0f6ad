import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { csvEnum } from '../../fields.ts';
import { searchMessages } from '../chat/search.ts';
import { searchQuery } from '../found.ts';
import { searchDocuments } from './documents.ts';
import { searchMeetings } from './meetings.ts';
import { searchProjects, searchTasks } from './projects.ts';
import { searchUsers } from './users.ts';

/** In the order of the groups. */
export const searchType = z.enum(['person', 'project', 'task', 'meeting', 'document', 'message']);
export type SearchType = z.infer<typeof searchType>;

/** The endpoint that finds the results of a type. */
export const SEARCHES = {
  person: searchUsers,
  project: searchProjects,
  task: searchTasks,
  meeting: searchMeetings,
  document: searchDocuments,
  message: searchMessages,
} as const;

/** How long the gateway waits for the services. */
export const SEARCH_TIMEOUT_MS = 400;

const group = z.discriminatedUnion('type', [
  searchUsers.response.extend({ type: z.literal('person') }),
  searchProjects.response.extend({ type: z.literal('project') }),
  searchTasks.response.extend({ type: z.literal('task') }),
  searchMeetings.response.extend({ type: z.literal('meeting') }),
  searchDocuments.response.extend({ type: z.literal('document') }),
  searchMessages.response.extend({ type: z.literal('message') }),
]);
export type SearchGroup = z.infer<typeof group>;

export const searchEverything = endpoint({
  method: 'GET',
  path: '/search',
  summary: `Search people, projects, tasks, meetings, documents, and messages. Each service searches what the caller can see. Types whose service has not responded within ${SEARCH_TIMEOUT_MS} ms are in \`missing\``,
  access: 'user',
  query: searchQuery.extend({
    types: csvEnum(searchType),
  }),
  response: z.object({ groups: z.array(group), missing: z.array(searchType) }),
  status: 200,
});
