import { natsStreams } from '@atrium/proto-events/nats-streams';
import { isNotFound } from '@atrium/service-kit/messaging/messaging';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

export type StreamSet = { url: string; prefix: string; producers: readonly string[] };

export async function deleteStreams({ url, prefix, producers }: StreamSet): Promise<void> {
  const connection = await connect({ servers: url });
  try {
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    const names = natsStreams(prefix, producers).map(({ name }) => name);
    await Promise.all(
      names.map((name) =>
        streams.delete(name).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        }),
      ),
    );
  } finally {
    await connection.close();
  }
}
