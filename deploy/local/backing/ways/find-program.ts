import type { BackingServer, Program, Refusal, Toolbox } from '../server.ts';

const explain = ({ title, variables }: BackingServer, refusals: Refusal[]): string =>
  [
    `${title} is not to be had on this machine. Any one of these would do:`,
    `  - in the environment: ${variables}, pointing at one that runs`,
    ...refusals.map(({ way, why }) => `  - ${way}: ${why}`),
  ].join('\n');

/** Goes through the ways to get a server in their order and answers the first that is open. */
export const findProgram = async (server: BackingServer, toolbox: Toolbox): Promise<Program> => {
  const refusals: Refusal[] = [];
  for (const way of server.ways) {
    const found = await way(toolbox);
    if (!('why' in found)) return found;
    refusals.push(found);
    // One that is there and still not used deserves a word: somebody may wonder.
    if (/ is version /.test(found.why)) toolbox.listener.say(server.name, `${found.why}; going on without it`);
  }
  throw new Error(explain(server, refusals));
};
