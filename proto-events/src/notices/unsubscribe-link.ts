// Browsers import this module, so it has no schemas.

import { NOTICE_KINDS, type NoticeKind } from './kinds.ts';

/** The path of the page that an unsubscribe link opens, followed by a token. */
export const UNSUBSCRIBE_PATH = '/unsubscribe/';

/** The id of the user, the kinds whose emails the link turns off, and a signature, in lower case. */
export const UNSUBSCRIBE_TOKEN = /^([0-9a-f]{24})-([a-z_]+(?:,[a-z_]+)*)-([0-9a-f]{40})$/;

/** Returns the kinds that a token names, without verifying it; none if it is malformed. */
export function readUnsubscribeKinds(token: string): NoticeKind[] {
  const names = UNSUBSCRIBE_TOKEN.exec(token)?.[2]?.split(',') ?? [];
  return NOTICE_KINDS.filter((kind) => names.includes(kind));
}
