import { startBacking } from '@atrium/local/backing/start-backing';
import { passingToolbox } from '@atrium/local/backing/toolbox';

export type PrivateNats = {
  url: string;
  /** Ends the server; what JetStream has kept stays. */
  stop(): Promise<void>;
  /** Brings it back with what it had. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** A NATS server of this suite's own, which it may stop without hurting another. */
export async function startPrivateNats(): Promise<PrivateNats> {
  const { NATS_URL: _, ...env } = process.env;
  const toolbox = { ...passingToolbox({ line: () => undefined, say: () => undefined }), env };
  const backing = await startBacking(toolbox, ['nats']);
  const server = backing.servers.get('nats');
  if (!server?.part) throw new Error('the private NATS server has no process');
  const { part } = server;
  return {
    url: server.address.url,
    stop: () => part.stop(),
    start: () => part.start(),
    async close() {
      await backing.stop();
      await toolbox.guard.close();
    },
  };
}
