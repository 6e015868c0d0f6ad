import { WebSocket } from 'ws';
import { openConcurrently } from './thin-clients.ts';

/** Connects sockets to the bare server of `socket-replay.ts`, which joins each to the rooms of a client. */
export async function openBareClients(url: string, clients: number) {
  let frames = 0;
  const sockets: WebSocket[] = [];
  const open = (client: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
        perMessageDeflate: false,
        skipUTF8Validation: true,
      });
      sockets.push(socket);
      socket.on('error', reject);
      socket.on('message', (data: Buffer) => {
        if (data[0] === 0x32) socket.send('3');
        else if (data[0] === 0x30) socket.send(`40${JSON.stringify({ client })}`);
        else if (data[1] === 0x30) resolve();
        else if (data[1] === 0x32) frames += 1;
      });
    });
  await openConcurrently([...Array(clients).keys()], open);
  return {
    frames: () => frames,
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}
