import { JetStreamApiError, type JetStreamManager, type StreamConfig } from '@nats-io/jetstream';

const STREAM_NAME_IN_USE = 10_058;
const CONSUMER_NOT_FOUND = 10_014;
const STREAM_NOT_FOUND = 10_059;
const MESSAGE_NOT_FOUND = 10_037;

const hasCode = (error: unknown, ...codes: number[]): boolean =>
  error instanceof JetStreamApiError && codes.includes(error.code);

/** Whether JetStream has not, or no longer, what was asked for. */
export const isNotFound = (error: unknown): boolean =>
  hasCode(error, CONSUMER_NOT_FOUND, STREAM_NOT_FOUND, MESSAGE_NOT_FOUND);

/** Whether a stream is there already, with other settings than those that were given. */
export const isOtherStream = (error: unknown): boolean => hasCode(error, STREAM_NAME_IN_USE);

/** What may change about a stream that exists. */
export type StreamSettings = Pick<StreamConfig, 'subjects' | 'max_age' | 'duplicate_window' | 'num_replicas'>;

/** JetStream writes "for ever" as 0. */
const longest = (one: number, other: number): number => (one === 0 || other === 0 ? 0 : Math.max(one, other));

/** Raises what a stream keeps to what is asked for, and never lowers it: an older pod beside us may have asked for less. */
export async function widenStream(
  manager: JetStreamManager,
  name: string,
  wanted: Partial<StreamSettings>,
): Promise<void> {
  const { config } = await manager.streams.info(name);
  const wider: StreamSettings = {
    subjects: [...new Set([...config.subjects, ...(wanted.subjects ?? [])])],
    max_age: longest(config.max_age, wanted.max_age ?? config.max_age),
    duplicate_window: Math.max(config.duplicate_window, wanted.duplicate_window ?? 0),
    num_replicas: Math.max(config.num_replicas, wanted.num_replicas ?? 0),
  };
  const isWide =
    wider.subjects.length === config.subjects.length &&
    wider.max_age === config.max_age &&
    wider.duplicate_window === config.duplicate_window &&
    wider.num_replicas === config.num_replicas;
  if (!isWide) await manager.streams.update(name, wider);
}
