import { LEASES } from '@atrium/proto-events/nats-users';
import type { StreamInfo } from '@nats-io/jetstream';
import type { Place } from '../place/place.ts';

type Streams = Pick<Place, 'manager' | 'prefix'>;

/** Every stream of the deployment, with the streams behind its buckets. */
export async function listStreams({ manager, prefix }: Streams): Promise<StreamInfo[]> {
  const found: StreamInfo[] = [];
  for await (const info of manager.streams.list())
    if (info.config.name.startsWith(`${prefix}_`) || info.config.name.startsWith(`KV_${prefix}_`)) found.push(info);
  return found.sort((one, other) => one.config.name.localeCompare(other.config.name));
}

/** The names of those to which anything was ever published; the others are as the operator's step creates them. */
export const nameUsedStreams = async (streams: Streams): Promise<string[]> =>
  (await listStreams(streams))
    .filter((info) => isKept(info, streams) && info.state.last_seq > 0)
    .map(({ config }) => config.name);

/** Whether a backup keeps a stream: leases are worth nothing later, and a mirror has what another stream has. */
export const isKept = ({ config }: StreamInfo, { prefix }: Pick<Place, 'prefix'>): boolean =>
  config.mirror === undefined && config.name !== `${prefix}_${LEASES}`;
