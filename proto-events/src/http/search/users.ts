import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { userSummary } from '../../people.ts';
import { foundOf, foundTexts, searchQuery } from '../found.ts';

export const foundUser = z.object({
  user: userSummary,
  invited: z.boolean().describe('Invited and not yet activated'),
  ...foundTexts,
});
export type FoundUser = z.infer<typeof foundUser>;

export const searchUsers = endpoint({
  method: 'GET',
  path: '/users/search',
  summary: 'Search people by name and email address, and tolerate typos in names',
  access: 'user',
  query: searchQuery,
  response: foundOf(foundUser),
  status: 200,
});
