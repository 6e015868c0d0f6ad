import type { ActorName } from './actors.ts';
import type { Received } from './call-endpoints.ts';
import type { FixtureResource, VisibilityFixture } from './fixture-resources.ts';
import { type Channel, getKind, getMark, type KindName } from './kinds.ts';

/** A kind of resource that reached a user through a channel. */
export type Exposure = { kind: KindName; who: ActorName; channel: Channel; from: string };

/** Channels with change events. */
const CHANGE_CHANNELS: readonly Channel[] = ['/live', 'subscription', 'replay'];

/** Finds the kinds of resources in the received data by their mark or id. */
export function findExposures(fixture: VisibilityFixture, received: readonly Received[]): Exposure[] {
  const exposures = received.flatMap(({ who, channel, from, text }) =>
    fixture.resources
      .filter((resource) => isIn(fixture, resource, { who, channel, text }))
      .map(({ kind }) => ({ kind, who, channel, from })),
  );
  return [...new Map(exposures.map((exposure) => [Object.values(exposure).join(' '), exposure])).values()];
}

type ReceivedText = Pick<Received, 'who' | 'channel' | 'text'>;

function isIn(fixture: VisibilityFixture, resource: FixtureResource, entry: ReceivedText): boolean {
  const { who, channel, text } = entry;
  const { isDeleted = false } = getKind(resource.kind);
  if (CHANGE_CHANNELS.includes(channel))
    return hasMark(resource, text) || (!isDeleted && isReportedIn(fixture, resource, entry));
  // A removed user keeps the notifications from before the removal, except those of documents.
  const isDocument = resource.kind.startsWith('document ');
  const canHaveOldData = who === 'former' && channel === 'notification' && !isDocument;
  return (
    text.includes(getMark(resource.kind, 'b')) ||
    (!canHaveOldData && (text.includes(getMark(resource.kind, 'a')) || (!isDeleted && text.includes(resource.id))))
  );
}

type ReportedChange = { type: string; id: string; version: number };

/** Items of public resources contain their text; other changes contain only ids. */
const hasMark = ({ kind }: FixtureResource, text: string) =>
  text.includes(getMark(kind, 'a')) || text.includes(getMark(kind, 'b'));

/** Whether change events report a change of the resource that must not reach the user. */
function isReportedIn(
  { versionsAtRemoval: lost }: VisibilityFixture,
  resource: FixtureResource,
  { who, text }: ReceivedText,
): boolean {
  const changes = [...text.matchAll(/\{"resource":"([\w-]+)","id":"(\w+)","action":"\w+","version":(\d+)/g)].map(
    ([, type = '', id = '', version]): ReportedChange => ({ type, id, version: Number(version) }),
  );
  return changes.some(({ type, id, version }) => {
    // They name the conversation, and the root.
    if (type === 'reply') return resource.kind.startsWith('reply ') && id === resource.rootId;
    if (type === 'message') return resource.kind.startsWith('message ') && id === resource.parentId;
    // Changes up to the removal may reach a removed user, because they include the removal.
    if (who === 'former' && version <= (lost.get(id) ?? 0)) return false;
    return id === resource.id;
  });
}

export const canSee = ({ kind, who }: Exposure): boolean => getKind(kind).sees.includes(who);
