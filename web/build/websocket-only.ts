import type { Plugin } from 'vite';

const TRANSPORTS = /\/engine\.io-client\/build\/esm\/transports\/index\.js$/;

/** Leaves out Engine.IO's other transports: the app connects by WebSocket only (`src/realtime/connection/socket.ts`). */
export function websocketOnly(): Plugin {
  return {
    name: 'websocket-only',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: TRANSPORTS },
      handler: () => "import { WS } from './websocket.js';\nexport const transports = { websocket: WS };",
    },
  };
}
