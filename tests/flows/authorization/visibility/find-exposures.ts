import type { ActorName } from './actors.ts';
import type { Received } from './call-endpoints.ts';
import { type Channel, type KindName, markOf, ofKind } from './kinds.ts';
import type { FixtureResource, VisibilityFixture } from './visibility-fixture.ts';

/** A kind of resource that reached a user. */
export type Exposure = { kind: KindName; who: ActorName; channel: Channel; from: string };

const LIVE: readonly Channel[] = ['/live', 'watch', 'resumed'];

/** The kinds of resources in the received data, detected by their mark or id. */
export function findExposures(fixture: VisibilityFixture, received: readonly Received[]): Exposure[] {
  const exposures = received.flatMap(({ who, channel, from, text }) =>
    fixture.resources
      .filter((thing) => isIn(fixture, thing, { who, channel, text }))
      .map(({ kind }) => ({ kind, who, channel, from })),
  );
  return [...new Map(exposures.map((sight) => [Object.values(sight).join(' '), sight])).values()];
}

type ReceivedText = Pick<Received, 'who' | 'channel' | 'text'>;

function isIn(fixture: VisibilityFixture, thing: FixtureResource, entry: ReceivedText): boolean {
  const { who, channel, text } = entry;
  const { isGone = false } = ofKind(thing.kind);
  if (LIVE.includes(channel)) return !isGone && isReportedIn(fixture, thing, entry);
  // Notifications from before the removal stay.
  const wasThere = who === 'former' && channel === 'notice';
  return (
    text.includes(markOf(thing.kind, 'b')) ||
    (!wasThere && (text.includes(markOf(thing.kind, 'a')) || (!isGone && text.includes(thing.id))))
  );
}

type ReportedChange = { resource: string; id: string; version: number };

/** Change events contain only ids. */
function isReportedIn(
  { versionsAtRemoval: lost }: VisibilityFixture,
  thing: FixtureResource,
  { who, text }: ReceivedText,
): boolean {
  const reported = [...text.matchAll(/\{"resource":"(\w+)","id":"(\w+)","action":"\w+","version":(\d+)/g)].map(
    ([, resource = '', id = '', version]): ReportedChange => ({ resource, id, version: Number(version) }),
  );
  return reported.some(({ resource, id, version }) => {
    if (resource === 'message') return thing.kind.startsWith('message ') && id === thing.parentId;
    // Removed users must be notified of their removal.
    if (who === 'former' && version <= (lost.get(id) ?? 0)) return false;
    return id === thing.id;
  });
}

export const canSee = ({ kind, who }: Exposure): boolean => ofKind(kind).sees.includes(who);
