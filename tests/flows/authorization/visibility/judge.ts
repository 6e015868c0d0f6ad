import type { Who } from './actors.ts';
import type { Received } from './ask.ts';
import { type Channel, type KindName, markOf, ofKind } from './kinds.ts';
import type { Thing, World } from './visibility-fixture.ts';

/** A kind of thing that came to somebody. */
export type Sight = { kind: KindName; who: Who; channel: Channel; from: string };

const LIVE: readonly Channel[] = ['/live', 'watch', 'resumed'];

/** What of all that somebody received is of a kind: a mark that is in it, or an id. */
export function findSights(world: World, received: readonly Received[]): Sight[] {
  const sights = received.flatMap(({ who, channel, from, text }) =>
    world.things
      .filter((thing) => isIn(world, thing, { who, channel, text }))
      .map(({ kind }) => ({ kind, who, channel, from })),
  );
  return [...new Map(sights.map((sight) => [Object.values(sight).join(' '), sight])).values()];
}

type Heard = Pick<Received, 'who' | 'channel' | 'text'>;

function isIn(world: World, thing: Thing, heard: Heard): boolean {
  const { who, channel, text } = heard;
  const { isGone = false } = ofKind(thing.kind);
  if (LIVE.includes(channel)) return !isGone && isToldOf(world, thing, heard);
  // What people were told while they were there, they have been told.
  const wasThere = who === 'former' && channel === 'notice';
  return (
    text.includes(markOf(thing.kind, 'b')) ||
    (!wasThere && (text.includes(markOf(thing.kind, 'a')) || (!isGone && text.includes(thing.id))))
  );
}

type Told = { resource: string; id: string; version: number };

/** Of whatever changed only ids are told. */
function isToldOf({ lost }: World, thing: Thing, { who, text }: Heard): boolean {
  const told = [...text.matchAll(/\{"resource":"(\w+)","id":"(\w+)","action":"\w+","version":(\d+)/g)].map(
    ([, resource = '', id = '', version]): Told => ({ resource, id, version: Number(version) }),
  );
  return told.some(({ resource, id, version }) => {
    if (resource === 'message') return thing.kind.startsWith('message ') && id === thing.within;
    // That they are out of it, they have to hear.
    if (who === 'former' && version <= (lost.get(id) ?? 0)) return false;
    return id === thing.id;
  });
}

export const mayLearn = ({ kind, who }: Sight): boolean => ofKind(kind).sees.includes(who);
