import { natsStreams } from '@atrium/proto-events/nats-streams';
import { isNotFound } from '@atrium/service-kit/messaging/messaging';
import type { StreamInfo } from '@nats-io/jetstream';
import type { Installation } from '../installation/installation.ts';

type Streams = Pick<Installation, 'manager' | 'prefix'>;

export async function listStreams({ manager, prefix }: Streams): Promise<StreamInfo[]> {
  const infos = await Promise.all(natsStreams(prefix).map(({ name }) => findStream(manager, name)));
  return infos.filter((info) => info !== undefined).sort((a, b) => a.config.name.localeCompare(b.config.name));
}

const findStream = (manager: Installation['manager'], name: string): Promise<StreamInfo | undefined> =>
  manager.streams.info(name).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });

/** Excludes streams that never had a message; those are unchanged since setup. */
export const listUsedStreamNames = async (streams: Streams): Promise<string[]> =>
  (await listStreams(streams))
    .filter((info) => isBackedUp(info) && info.state.last_seq > 0)
    .map(({ config }) => config.name);

/** Returns whether a backup contains a stream; a mirror duplicates another stream. */
export const isBackedUp = ({ config }: StreamInfo): boolean => config.mirror === undefined;
