import { createHash } from 'node:crypto';
import type { EventOf } from '@atrium/proto-events/event';
import type { meetingClosed } from '@atrium/proto-events/events/meeting-closing';

export type ClosedMeeting = EventOf<typeof meetingClosed>['data'];

export const summaryMessageId = (closingId: string) => uuidOf(`summary:${closingId}`);

/** A UUID of version 8 (RFC 9562, custom) from the hash of a name. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Below the 10,000 characters of a message: the title has up to 200, the summary 3,000, and each of 30 decisions 200. */
export function summaryText({ title, startTime, timezone, summary, decisions }: ClosedMeeting): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: timezone }).format(new Date(startTime));
  const list = decisions.map(({ text }) => `• ${text}`);
  return [
    `Summary of “${title}”, ${day}`,
    ...(summary === '' ? [] : ['', summary]),
    ...(list.length === 0 ? [] : ['', list.length === 1 ? 'Decision:' : 'Decisions:', ...list]),
  ].join('\n');
}
