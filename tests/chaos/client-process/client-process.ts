import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Client } from '../../workspace/workspace.ts';

export type ClientArgs = { url: string; accessToken: string; refreshToken: string };
type Request<Action> = { id: number; action: Action };
type Response<Result> = { id: number; result: Result; error?: string };

/** A browser in a separate process, because the web app has one user per process. */
export type ClientProcess<Action, Result> = {
  user: Client;
  /** Performs an action. Resolves with what the browser shows afterward, and the error, if any. */
  act(action: Action): Promise<{ result: Result; error?: string }>;
  end(): Promise<void>;
};

const TIMEOUT_MS = 90_000;

/** Starts a module that calls `serveActions`. Resolves once it does. */
export async function startClientProcess<Action extends { do: string }, Result>(
  module: URL,
  user: Client,
  args: ClientArgs & Record<string, unknown>,
): Promise<ClientProcess<Action, Result>> {
  const child: ChildProcess = fork(module, [JSON.stringify(args)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const pendingResponses = new Map<number, (response: Response<Result>) => void>();
  let count = 0;
  const awaitResponse = (id: number, label: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response<Result>>();
    const timer = setTimeout(() => reject(new Error(`${user.name}: no response to ${label}`)), TIMEOUT_MS);
    pendingResponses.set(id, (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    return promise;
  };
  child.on('message', (response: Response<Result>) => {
    pendingResponses.get(response.id)?.(response);
    pendingResponses.delete(response.id);
  });
  await awaitResponse(0, 'start');
  return {
    user,
    act(action) {
      count += 1;
      const response = awaitResponse(count, action.do);
      const request: Request<Action> = { id: count, action };
      child.send(request);
      return response;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const readClientArgs = <Args extends ClientArgs>(): Args => JSON.parse(process.argv[2] ?? '{}') as Args;

/** Performs the actions that the parent process sends, until it ends. */
export function serveActions<Action, Result>(
  perform: (action: Action) => Promise<unknown>,
  getResult: (action?: Action) => Result,
): void {
  const respond = (response: Response<Result>) => process.send?.(response);
  process.on('message', ({ id, action }: Request<Action>) => {
    perform(action).then(
      () => respond({ id, result: getResult(action) }),
      (error: unknown) => respond({ id, result: getResult(action), error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  respond({ id: 0, result: getResult() });
}
