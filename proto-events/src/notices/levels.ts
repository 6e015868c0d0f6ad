import { z } from 'zod';
import { id } from '../fields.ts';
import { NOTICE_LEVELS, type NoticeLevel } from './kinds.ts';

/** What users choose a level for. For a conversation, they do so in chat; about a document, they are notified once. */
export const LEVEL_RESOURCES = ['project', 'meeting'] as const;
export type LevelResource = (typeof LEVEL_RESOURCES)[number];

/** Of one user. The directory contains them. */
export const MAX_NOTICE_LEVELS = 500;

/** The levels that a user has chosen; others are `all`. */
export const noticeLevels = z.array(z.object({ resource: z.enum(LEVEL_RESOURCES), id, level: z.enum(NOTICE_LEVELS) }));
export type NoticeLevels = z.infer<typeof noticeLevels>;

/** Returns what a user has chosen for a project, a meeting, or a series. */
export const findNoticeLevel = (levels: NoticeLevels | undefined, resourceId: string): NoticeLevel =>
  levels?.find(({ id }) => id === resourceId)?.level ?? 'all';
