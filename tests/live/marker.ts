import type { LiveServerEvents } from '@atrium/proto-events/realtime';
import { io, type Socket } from 'socket.io-client';
import type { Client } from '../workspace/workspace.ts';
import { call } from './steps/step.ts';

export type Marker = {
  /** Resolves once all changes of earlier events were sent to all sockets. */
  pass(): Promise<void>;
  close(): void;
};

/**
 * Sends a change that no response shows, and waits until it arrives: changes are sent in the order in which the first of
 * each frame came. Steps change this user, too, so that only the version identifies the change.
 */
export async function openMarker(url: string, client: Client): Promise<Marker> {
  const socket = await connect(url, client, [`user:${client.id}`]);
  let reminderMinutes = 0;
  return {
    async pass() {
      reminderMinutes = (reminderMinutes + 1) % 60;
      const received = Promise.withResolvers<void>();
      let receivedVersion = 0;
      let ownVersion = Number.POSITIVE_INFINITY;
      const check = () => receivedVersion >= ownVersion && received.resolve();
      const onChanged: LiveServerEvents['changed'] = ({ changes }) => {
        const versions = changes.flatMap(({ resource, id, version }) =>
          resource === 'user' && id === client.id ? version : [],
        );
        receivedVersion = Math.max(receivedVersion, ...versions);
        check();
      };
      socket.on('changed', onChanged);
      const body = { reminderMinutes };
      ownVersion = (await call<{ version: number }>(client, 'PATCH', '/users/profile/preferences', body)).version;
      check();
      await received.promise;
      socket.off('changed', onChanged);
    },
    close: () => void socket.disconnect(),
  };
}

/** Connects to `/live`, with a subscription. */
export async function connect(url: string, { name, token }: Client, tags: readonly string[]): Promise<Socket> {
  const socket = io(`${url}/live`, {
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('connect_error', (error) => reject(new Error(name, { cause: error })));
  });
  await socket.emitWithAck('subscribe', { tags });
  return socket;
}
