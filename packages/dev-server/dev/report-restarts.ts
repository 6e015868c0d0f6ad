import type { ProcessListener } from '../process-manager/managed-process.ts';

const RESTARTING = /^Restarting '/;
const FAILED = /^Failed running '/;
const READY = /"msg":"ready"/;
/** What Node says at each start with a debugger. */
const CHATTER = /^(Debugger (listening|attached)|For help, see: |Waiting for the debugger)/;

/** Says how long a saved process was away, and leaves out what Node tells of its debugger. */
export const tellRestarts = ({ line, say }: ProcessListener): ProcessListener => {
  const since = new Map<string, number>();
  return {
    say,
    line(name, text) {
      if (CHATTER.test(text)) return;
      if (RESTARTING.test(text)) {
        since.set(name, performance.now());
        return;
      }
      line(name, FAILED.test(text) ? 'failed; it starts again with the next file that is saved' : text);
      const began = since.get(name);
      if (began === undefined || !READY.test(text)) return;
      since.delete(name);
      say(name, `runs what was saved, ${((performance.now() - began) / 1000).toFixed(1)} s later`);
    },
  };
};
