import { AGGREGATE_HEADER } from '@atrium/proto-events/dead-letters';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

/**
 * The headers of an event of this aggregate. An event without them is handled exclusively, before all that follow it.
 */
export function aggregateHeaders(aggregate: string): MsgHdrs {
  const about = headers();
  about.set(AGGREGATE_HEADER, aggregate);
  return about;
}
