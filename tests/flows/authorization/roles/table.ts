import { HIGH_LIMITS } from '../../../workspace/builders.ts';
import type { Row } from './row.ts';
import { ACCOUNTS } from './rows-of-accounts.ts';
import { PEOPLE } from './rows-of-people.ts';
import { PROJECTS_AND_TASKS } from './rows-of-projects.ts';
import { WORK } from './workflow-rows.ts';

/** The permitted roles of every endpoint. */
export const TABLE: readonly Row[] = [...ACCOUNTS, ...PEOPLE, ...PROJECTS_AND_TASKS, ...WORK];

/** The table sends hundreds of requests per minute from one IP address. */
export const TABLE_LIMITS = {
  ...HIGH_LIMITS,
  MAX_GROUPS_PER_USER_PER_DAY: '0',
  RATE_LIMIT_CLIENT_ERRORS: '1000',
  RATE_LIMIT_FEED: '1000',
};

export const nameOf = ({ call, when }: Row): string => [call, when].filter(Boolean).join(', ');
