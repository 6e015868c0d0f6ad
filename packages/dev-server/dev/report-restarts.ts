import type { ProcessListener } from '../process-manager/managed-process.ts';

const RESTARTING = /^Restarting '/;
const FAILED = /^Failed running '/;
const READY = /"msg":"ready"/;
/** Messages of Node about its debugger. */
const CHATTER = /^(Debugger (listening|attached)|For help, see: |Waiting for the debugger)/;

/** Reports how long a restart took, and drops Node's messages about its debugger. */
export const reportRestarts = ({ line, say }: ProcessListener): ProcessListener => {
  const since = new Map<string, number>();
  return {
    say,
    line(name, text) {
      if (CHATTER.test(text)) return;
      if (RESTARTING.test(text)) {
        since.set(name, performance.now());
        return;
      }
      line(name, FAILED.test(text) ? 'failed; it restarts when the next file is saved' : text);
      const began = since.get(name);
      if (began === undefined || !READY.test(text)) return;
      since.delete(name);
      say(name, `restarted, ${((performance.now() - began) / 1000).toFixed(1)} s later`);
    },
  };
};
