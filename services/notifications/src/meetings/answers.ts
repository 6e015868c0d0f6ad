import type { EventOf } from '@atrium/proto-events/event';
import type { meetingResponded } from '@atrium/proto-events/events/meetings';
import type { Store } from '../store/store.ts';

export type Answers = ReadonlyMap<string, 'accepted' | 'declined' | 'tentative'>;

const STATUSES = ['accepted', 'declined', 'tentative'] as const;

/** Keeps somebody's latest answer, for the calendar parts of mails to come. */
export async function keepAnswer({ answers }: Store, { data }: EventOf<typeof meetingResponded>): Promise<void> {
  const { meetingId, userId, status, version } = data;
  const _id = `${meetingId}:${userId}`;
  const known = await answers.findById(_id).lean();
  if (known && known.version >= version) return;
  await answers.updateOne({ _id }, { $set: { meetingId, userId, status, version, at: new Date() } }, { upsert: true });
}

/** Answers to the time that was do not hold for the new one. */
export async function forgetAnswers({ answers }: Store, meetingId: string, beforeVersion: number): Promise<void> {
  await answers.deleteMany({ meetingId, version: { $lt: beforeVersion } });
}

export async function readAnswers({ answers }: Store, meetingId: string): Promise<Answers> {
  const records = await answers.find({ meetingId }).lean();
  return new Map(
    records.flatMap(({ userId, status }) => {
      const known = STATUSES.find((one) => one === status);
      return known ? [[userId, known] as const] : [];
    }),
  );
}
