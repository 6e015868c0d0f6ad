import { HIGH_LIMITS } from '../../../workspace/builders.ts';
import { ACCOUNT_ROWS } from './account-rows.ts';
import { CHAT_ROWS } from './chat-rows.ts';
import { PROJECT_ROWS } from './project-rows.ts';
import type { Row } from './row.ts';
import { USER_ROWS } from './user-rows.ts';
import { WORKFLOW_ROWS } from './workflow-rows.ts';

/** The expected status of every endpoint for every actor. */
export const TABLE: readonly Row[] = [...ACCOUNT_ROWS, ...USER_ROWS, ...PROJECT_ROWS, ...WORKFLOW_ROWS, ...CHAT_ROWS];

/** Raised limits, because the table sends hundreds of requests per minute from one IP address. */
export const TABLE_LIMITS = {
  ...HIGH_LIMITS,
  MAX_GROUPS_PER_USER_PER_DAY: '0',
  RATE_LIMIT_CLIENT_ERRORS: '1000',
  RATE_LIMIT_FEED: '1000',
};

export const describeRow = ({ call, when }: Row): string => [call, when].filter(Boolean).join(', ');
