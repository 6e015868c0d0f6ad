import closeWithGrace from 'close-with-grace';
import { type BaseConfig, type MigrateConfig, migrateEnv, readEnv, streamsEnv } from '../config/env.ts';
import type { RunningService } from './start-service.ts';

/**
 * Runs a process: reads the configuration (reporting all errors at once, with exit code 78 as in sysexits.h), starts,
 * and on SIGTERM or SIGINT drains for `DRAIN_SECONDS` and then exits within `SHUTDOWN_TIMEOUT_SECONDS`. With the
 * argument `migrate`, it only migrates the schema, without a time limit, and needs only the configuration of the
 * database. With the argument `streams`, it only creates and extends the NATS streams
 * (docs/self-hosting/operations.md). Any other argument runs one of `commands` instead of the service.
 */
export async function runMain<C extends Pick<BaseConfig, 'DRAIN_SECONDS' | 'SHUTDOWN_TIMEOUT_SECONDS'>>(
  readConfig: (source: NodeJS.ProcessEnv) => C,
  start: (config: C) => Promise<Pick<RunningService, 'close' | 'log'>>,
  migrate?: (config: MigrateConfig) => Promise<void>,
  commands: Readonly<Record<string, (config: C) => Promise<void>>> = {},
): Promise<void> {
  const [command] = process.argv.slice(2);
  if (command === 'migrate' && migrate) {
    const config = readOrSetExitCode((source) => readEnv(migrateEnv, source));
    return config && migrate(config);
  }
  if (command === 'streams') {
    const config = readOrSetExitCode((source) => readEnv(streamsEnv, source));
    return config && (await import('../messaging/provision-streams.ts')).runProvisionStreams(config);
  }
  const runCommand = command === undefined ? undefined : commands[command];
  if (command !== undefined && !runCommand) {
    const knownCommands = [...(migrate ? ['migrate'] : []), 'streams', ...Object.keys(commands)];
    process.stderr.write(`Unknown command: ${command} (there are: ${knownCommands.join(', ')})\n`);
    process.exitCode = 64;
    return;
  }
  const config = readOrSetExitCode(readConfig);
  if (!config) return;
  if (runCommand) return runCommand(config);
  const service = await start(config);
  closeWithGrace(
    { delay: (config.DRAIN_SECONDS + config.SHUTDOWN_TIMEOUT_SECONDS) * 1000, logger: false },
    async ({ signal, err }) => {
      if (err) service.log.fatal({ err }, 'Process exits because of an error');
      else service.log.info({ signal }, 'Stopping');
      await service.close();
    },
  );
}

function readOrSetExitCode<C>(read: (source: NodeJS.ProcessEnv) => C): C | undefined {
  try {
    return read(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 78;
    return undefined;
  }
}
