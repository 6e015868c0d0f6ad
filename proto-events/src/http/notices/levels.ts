import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id } from '../../fields.ts';
import { NOTICE_LEVELS } from '../../notices/kinds.ts';
import { LEVEL_RESOURCES, noticeLevels } from '../../notices/levels.ts';

const response = z.object({ levels: noticeLevels.describe('Those that are not `all`, in the order they were chosen') });
export type OwnNoticeLevels = z.infer<typeof response>;

export const listNoticeLevels = endpoint({
  method: 'GET',
  path: '/users/profile/notices/levels',
  summary: 'List the projects and meetings that you do not receive all notifications about',
  access: 'user',
  response,
  status: 200,
});

export const setNoticeLevel = endpoint({
  method: 'PUT',
  path: '/users/profile/notices/levels/:resource/:id',
  summary: 'Choose what you are notified of in a project or a meeting',
  access: 'user',
  params: z.object({
    resource: z.enum(LEVEL_RESOURCES),
    id: id.describe('Of a series, for its meetings'),
  }),
  body: z.object({ level: z.enum(NOTICE_LEVELS).describe('`mentions` includes what is addressed to you') }),
  response,
  status: 200,
  errors: ['conflict'],
});
