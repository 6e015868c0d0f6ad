import { WebSocket } from 'ws';

/**
 * A minimal socket.io client (engine.io 4 over WebSocket), so that 200 of them cost the load process little. It counts
 * frames and parses them only on request.
 */
export type RawSocket = {
  /** Frames with an event so far. */
  received(): number;
  onEvent(listener: (frame: string) => void): void;
  emit(event: string, payload: unknown): void;
  close(): void;
};

/** Connects to a namespace (`/` or `/chat`) and resolves once the server has accepted it. */
export function connectRaw(
  url: string,
  namespace: string,
  auth: unknown,
  headers: Record<string, string> = {},
): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
    headers,
  });
  const prefix = namespace === '/' ? '' : `${namespace},`;
  const listeners: ((frame: string) => void)[] = [];
  let received = 0;
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      if (data[0] === 0x30) socket.send(`40${prefix}${JSON.stringify(auth)}`);
      else if (data[0] === 0x32) socket.send('3');
      else if (data[1] === 0x30) resolve(client);
      else if (data[1] === 0x34) reject(new Error(data.toString()));
      else if (data[1] === 0x32) {
        received += 1;
        if (listeners.length > 0) for (const listener of listeners) listener(data.toString());
      }
    });
    const client: RawSocket = {
      received: () => received,
      onEvent: (listener) => listeners.push(listener),
      // The number is an acknowledgement id, but acknowledgements are ignored.
      emit: (event, payload) => socket.send(`42${prefix}0${JSON.stringify([event, payload])}`),
      close: () => socket.terminate(),
    };
  });
}
