import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, time } from '../../fields.ts';
import { userSummary } from '../../people.ts';
import { foundOf, foundTexts, searchQuery } from '../found.ts';
import { projectStatus } from '../projects.ts';
import { taskStatus } from '../tasks.ts';

export const foundProject = z.object({
  _id: id,
  ...foundTexts,
  status: projectStatus,
  projectManager: userSummary,
});
export type FoundProject = z.infer<typeof foundProject>;

export const searchProjects = endpoint({
  method: 'GET',
  path: '/projects/search',
  summary: 'Search projects by name and description, and tolerate typos in names',
  access: 'user',
  query: searchQuery,
  response: foundOf(foundProject),
  status: 200,
});

export const foundTask = z.object({
  _id: id,
  ...foundTexts,
  status: taskStatus,
  dueDate: time.nullable(),
  assignedTo: userSummary.nullable(),
  project: z.object({ _id: id, name: z.string() }),
  comment: id.nullable().describe('The comment that the snippet is from'),
});
export type FoundTask = z.infer<typeof foundTask>;

export const searchTasks = endpoint({
  method: 'GET',
  path: '/tasks/search',
  summary: 'Search tasks by title, description, and comments, and tolerate typos in titles',
  access: 'user',
  query: searchQuery,
  response: foundOf(foundTask),
  status: 200,
});
