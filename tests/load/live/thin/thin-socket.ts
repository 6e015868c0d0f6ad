import { WebSocket } from 'ws';

export type ThinSocketListener = {
  /** Called with an event's packet as Latin-1. */
  onEvent(packet: string): void;
  /** Called when the connection ends without `close`. */
  onLost(): void;
};

export type ThinSocket = {
  emit(namespace: '/live' | '/chat', event: string, payload: unknown): void;
  close(): void;
};

type OpenParams = {
  url: string;
  token: string;
  subscription: object;
  listener: ThinSocketListener;
};

type Acknowledgment = [{ ok: boolean }];

const OPEN = 0x30;
const PING = 0x32;
const CONNECTED = 0x30;
const EVENT = 0x32;
const ACKNOWLEDGMENT = 0x33;
const REJECTED = 0x34;

/** Connects both namespaces of a user over one WebSocket (socket.io 5 over engine.io 4), and subscribes to tags. */
export function openThinSocket({ url, token, subscription, listener }: OpenParams): Promise<ThinSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThinSocket>();
  let isClosed = false;
  let isOpen = false;
  /** Two namespaces, and the acknowledgment of the subscription. */
  let awaited = 3;
  const thinSocket: ThinSocket = {
    emit: (namespace, event, payload) => socket.send(`42${namespace},1${JSON.stringify([event, payload])}`),
    close() {
      isClosed = true;
      socket.terminate();
    },
  };
  const advance = () => {
    awaited -= 1;
    isOpen = awaited === 0;
    if (isOpen) resolve(thinSocket);
  };
  const onAcknowledgment = (packet: string) => {
    // Other acknowledgments are of read positions.
    if (!packet.startsWith('43/live,0')) return;
    const [response] = JSON.parse(packet.slice(packet.indexOf('['))) as Acknowledgment;
    // What changed before is part of what is loaded afterward.
    if (response.ok) advance();
    else fail(new Error(`Failed to subscribe: ${packet.slice(0, 300)}`));
  };
  const fail = (error: Error) => {
    reject(error);
    socket.terminate();
  };
  socket.on('error', fail);
  socket.on('close', () => {
    if (isClosed) return;
    if (isOpen) listener.onLost();
    reject(new Error('The connection was closed'));
  });
  socket.on('message', (data: Buffer) => {
    if (data[0] === PING) return socket.send('3');
    if (data[0] === OPEN) {
      for (const namespace of ['/live', '/chat']) socket.send(`40${namespace},${JSON.stringify({ token })}`);
      return;
    }
    const packet = data.toString('latin1');
    if (data[1] === EVENT) listener.onEvent(packet);
    else if (data[1] === ACKNOWLEDGMENT) onAcknowledgment(packet);
    else if (data[1] === REJECTED) fail(new Error(packet));
    else if (data[1] === CONNECTED) {
      if (packet.startsWith('40/live')) socket.send(`42/live,0${JSON.stringify(['subscribe', subscription])}`);
      advance();
    }
  });
  return promise;
}
