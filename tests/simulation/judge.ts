/** Writes down what was looked at, and what was wrong with it: nothing, where all is well. */
export type Judge = (what: string, faults: readonly string[]) => void;

/** One that prints a line for each, and counts. */
export function createFailureCollector(): { judge: Judge; count(): number } {
  let count = 0;
  return {
    count: () => count,
    judge(what, faults) {
      count += faults.length;
      console.log(`${faults.length === 0 ? 'good' : 'BAD '}  ${what}`);
      for (const fault of faults) console.log(`        ${fault}`);
    },
  };
}
